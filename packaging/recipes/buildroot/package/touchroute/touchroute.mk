################################################################################
#
# touchroute
#
################################################################################

TOUCHROUTE_VERSION = 0.2.0
# Made by scripts/package --tarball, and put beside this file.
TOUCHROUTE_SOURCE = touchroute-$(TOUCHROUTE_VERSION)-$(ARCH).tar.gz
TOUCHROUTE_SITE = $(BR2_EXTERNAL_TOUCHROUTE_PATH)/package/touchroute
TOUCHROUTE_SITE_METHOD = file
TOUCHROUTE_STRIP_COMPONENTS = 0
TOUCHROUTE_LICENSE = MIT, Apache-2.0
TOUCHROUTE_LICENSE_FILES = usr/share/doc/touchroute/LICENSE
TOUCHROUTE_DEPENDENCIES = libevdev libinput systemd

# The outputs to TUIO and MQTT need liblo and mosquitto.
define TOUCHROUTE_INSTALL_TARGET_CMDS
	cp -a $(@D)/etc $(@D)/usr $(TARGET_DIR)/
	rm -f $(TARGET_DIR)/usr/libexec/touchroute/touchroute-tuio \
		$(TARGET_DIR)/usr/libexec/touchroute/touchroute-mqtt \
		$(TARGET_DIR)/usr/lib/systemd/system/touchroute-mqtt@.service
endef

define TOUCHROUTE_USERS
	touchroute -1 touchroute -1 * - - input Touch routing daemon
	touchroute-output -1 touchroute-output -1 * - - - Virtual touchscreens of touchroute
	touchroute-idle -1 touchroute-idle -1 * - - - Dims and blanks screens
	touchroute-feedback -1 touchroute-feedback -1 * - - - Feedback of screens
	- - touchroute-input -1 - - - - Readers of virtual touchscreens
endef

$(eval $(generic-package))
