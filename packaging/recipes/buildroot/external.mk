include $(sort $(wildcard $(BR2_EXTERNAL_TOUCHROUTE_PATH)/package/*/*.mk))
