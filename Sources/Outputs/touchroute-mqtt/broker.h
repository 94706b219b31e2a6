/*
 * broker.h: a connection to a broker of MQTT that is made again whenever it ends, and what it says
 * of one output: whether it is there, its taps and its gestures.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TOUCHROUTE_MQTT_BROKER_H
#define TOUCHROUTE_MQTT_BROKER_H

#include <stdint.h>

/* Strings are the caller's, for the broker's life; empty: none. */
struct broker_settings {
  const char *host;
  int port;
  const char *base; /* of the topics: touchroute/HOST/PATH */
  const char *user, *password_file;
  const char *ca_file, *certificate_file, *key_file;
  int is_encrypted;
  int qos;                    /* 0 or 1 */
  int is_for_home_assistant;  /* say at homeassistant/... what there is */
  const char *name, *path;    /* the machine's and the responder's */
};

struct broker;

/*
 * Connects once it is attached, in a thread that ends the process by SIGTERM where it can't go on.
 * NULL where that is of no use; why has been said.
 */
struct broker *broker_create(const struct broker_settings *settings);

/* Says that it is gone, and ends the connection. Returns whether it could go on until then. */
int broker_destroy(struct broker *broker);

/* Whether touches come: what availability says while there is a connection. */
void broker_set_attached(struct broker *broker, int is_attached);

/* Publishes JSON at a topic below the base; nothing while there is no connection. */
void broker_publish(struct broker *broker, const char *topic, const char *json);

/* Says once that the broker has not answered for a while, where that is so. */
void broker_check(struct broker *broker, uint64_t now_us);

#endif
