/*
 * libmosquitto's client, which the thread connects and serves. The main thread uses it only while
 * it is connected, and holds the lock meanwhile.
 */
#define _GNU_SOURCE /* for pthread_clockjoin_np and sem_clockwait */
#include "broker.h"

#include "feed.h"
#include "memory.h"
#include "printable.h"

#include <errno.h>
#include <fcntl.h>
#include <mosquitto.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* After how long without a connection that is said. */
#define PATIENCE_US 3000000u
#define KEEPALIVE_S 30
#define MOST_TOPIC 1024
#define MOST_PASSWORD 1024
#define MOST_SHOWN PRINTABLE_SIZE(MOST_TOPIC)
/*
 * The library takes memory for as long a packet as the broker announces, up to 256 MiB. All that a
 * broker has to say to us takes 4 bytes, and a TLS session some hundred KiB.
 */
#define MOST_MEMORY (8u << 20)
/* Between two attempts to connect: it is doubled from the one to the other. */
#define LEAST_PAUSE_S 1
#define MOST_PAUSE_S 30
/* The most that the last word may take. */
#define FAREWELL_S 3
/* How long a broker may take nothing of what it is sent before nothing more is added. */
#define MOST_STALL_US 2000000u

struct broker {
  const struct broker_settings *settings;
  struct mosquitto *client;
  pthread_t thread;
  char availability[MOST_TOPIC];
  uint64_t begun_us; /* when it was attached first; 0: it was not yet */
  atomic_int has_complained, has_failed, is_ending;
  atomic_int is_refusing; /* the library refuses messages, and that was said */
  sem_t start; /* raised once it was attached, or is ending */
  sem_t end;   /* raised once it is ending */
  pthread_mutex_t lock;
  int is_attached, is_connected, is_stalled; /* behind the lock */
  /* How many messages the broker has yet to take, and when it took the last one. */
  atomic_int untaken;
  atomic_uint_least64_t taken_us;
  /*
   * For the thread that connects: the broker has accepted, it was said that others can read the
   * password's file or that there is no password, and the last error of OpenSSL.
   */
  int is_accepted, has_warned, has_lacked;
  char reason[256];
};

/* ---- Saying what is there ---- */

static void publish(struct broker *broker, const char *topic, const char *text, int is_retained) {
  if (atomic_fetch_add(&broker->untaken, 1) == 0)
    atomic_store(&broker->taken_us, feed_now_us());
  int result = mosquitto_publish(broker->client, NULL, topic, (int)strlen(text), text,
                                 broker->settings->qos, is_retained != 0);
  if (result == MOSQ_ERR_SUCCESS) {
    atomic_store(&broker->is_refusing, 0);
    return;
  }
  atomic_fetch_sub(&broker->untaken, 1);
  if (result != MOSQ_ERR_NO_CONN && result != MOSQ_ERR_CONN_LOST &&
      !atomic_exchange(&broker->is_refusing, 1))
    feed_say("%s can't be published: %s", topic, mosquitto_strerror(result));
}

static void say_availability(struct broker *broker) {
  publish(broker, broker->availability, broker->is_attached ? "online" : "offline", 1);
}

/* A message is with the broker: sent, or acknowledged where it is asked for that. */
static void on_publish(struct mosquitto *client, void *data, int id) {
  (void)client, (void)id;
  struct broker *broker = data;
  atomic_store(&broker->taken_us, feed_now_us());
  atomic_fetch_sub(&broker->untaken, 1);
}

/* Whether the broker takes nothing of what it was sent; that is said once. */
static int is_stalled(struct broker *broker) {
  int was_stalled = broker->is_stalled;
  broker->is_stalled = atomic_load(&broker->untaken) > 0 &&
                       feed_now_us() - atomic_load(&broker->taken_us) > MOST_STALL_US;
  if (broker->is_stalled && !was_stalled)
    feed_say("%s port %d has taken no message for a while: no more are sent until it does",
             broker->settings->host, broker->settings->port);
  return broker->is_stalled;
}

/* FNV-1a: tells names and paths apart that have the same letters where others are left out. */
static uint32_t hash(uint32_t start, const char *text) {
  for (; *text != '\0'; text++)
    start = (start ^ (unsigned char)*text) * 16777619u;
  return start;
}

/* What Home Assistant makes an entity of events of; its ids know no other letters. */
static void describe(struct broker *broker, const char *what, const char *title,
                     const char *types) {
  const struct broker_settings *settings = broker->settings;
  char id[256], topic[512], json[4096 + 4 * MOST_SHOWN];
  char path[MOST_SHOWN], base[MOST_SHOWN], availability[MOST_SHOWN];
  uint32_t number = hash(hash(hash(2166136261u, settings->name), "\n"), settings->path);
  snprintf(id, sizeof id, "touchroute_%08x_%s_%s", (unsigned)number, settings->name,
           settings->path);
  for (char *at = id; *at != '\0'; at++)
    if (strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == 0)
      *at = '_';
  snprintf(topic, sizeof topic, "homeassistant/event/%s/%s/config", id, what);
  snprintf(json, sizeof json,
           "{\"name\":\"%s\",\"unique_id\":\"%s_%s\",\"state_topic\":\"%s/%s\","
           "\"availability_topic\":\"%s\",\"event_types\":[%s],"
           "\"device\":{\"identifiers\":[\"%s\"],\"name\":\"%s %s\","
           "\"manufacturer\":\"touchroute\"}}",
           title, id, what, printable(base, sizeof base, settings->base, PRINTABLE_JSON), what,
           printable(availability, sizeof availability, broker->availability, PRINTABLE_JSON),
           types, id, settings->name,
           printable(path, sizeof path, settings->path, PRINTABLE_JSON));
  publish(broker, topic, json, 1);
}

/* The library calls back with its own locks held: what is to be said waits until it returns. */
static void on_connect(struct mosquitto *client, void *data, int code) {
  (void)client;
  struct broker *broker = data;
  const struct broker_settings *settings = broker->settings;
  broker->is_accepted = code == 0;
  if (code != 0 && !atomic_exchange(&broker->has_complained, 1))
    feed_say("%s port %d refuses the connection: %s", settings->host, settings->port,
             mosquitto_connack_string(code));
}

static void greet(struct broker *broker) {
  const struct broker_settings *settings = broker->settings;
  broker->is_accepted = 0;
  if (atomic_exchange(&broker->has_complained, 0))
    feed_say("%s port %d has accepted the connection", settings->host, settings->port);
  if (settings->is_for_home_assistant) {
    describe(broker, "tap", "Tap", "\"tap\"");
    describe(broker, "gesture", "Gesture",
             "\"tap\",\"long_press\",\"pan\",\"swipe\",\"pinch\",\"rotation\",\"edge_pan\"");
  }
  pthread_mutex_lock(&broker->lock);
  broker->is_connected = 1;
  say_availability(broker);
  pthread_mutex_unlock(&broker->lock);
}

/* What TLS fails by is nowhere but in the library's log. */
static void on_log(struct mosquitto *client, void *data, int level, const char *text) {
  (void)client;
  struct broker *broker = data;
  if (level == MOSQ_LOG_ERR)
    snprintf(broker->reason, sizeof broker->reason, "%s", text);
}

/* Says once, until it is connected again, what is wrong; number is errno as it was then. */
static void complain(struct broker *broker, int result, int was_connected, int number) {
  const char *host = broker->settings->host;
  int port = broker->settings->port;
  if (atomic_exchange(&broker->has_complained, 1))
    return;
  if (result == MOSQ_ERR_NOMEM)
    feed_say("%s port %d sends packets for which there is no room: all that a broker may have of "
             "this program's memory is %u MiB; the connection was ended, and is tried again",
             host, port, MOST_MEMORY >> 20);
  else if (was_connected && result == MOSQ_ERR_PROTOCOL)
    feed_say("%s port %d does not keep to MQTT; the connection was ended, and is tried again", host,
             port);
  else if (was_connected)
    feed_say("%s port %d has ended the connection; it is tried again", host, port);
  else if (result == MOSQ_ERR_TLS || (broker->settings->is_encrypted && broker->reason[0] != '\0'))
    feed_say("%s port %d and this machine can't agree on TLS (--ca-file, --cert-file, --key-file): "
             "%s; it is tried again",
             host, port, broker->reason[0] != '\0' ? broker->reason : mosquitto_strerror(result));
  else if (result == MOSQ_ERR_ERRNO && number == EBADF)
    /* From 2.1 on the library looks at the socket that it has closed, and the reason is lost. */
    feed_say("%s port %d can't be reached; it is tried again", host, port);
  else
    feed_say("%s port %d can't be reached: %s; it is tried again", host, port,
             result == MOSQ_ERR_ERRNO ? strerror(number) : mosquitto_strerror(result));
}

/* ---- Setting up ---- */

/* The first line of a file, or of systemd's credential mqtt-password. */
static int read_password(struct broker *broker, char *password, size_t size) {
  const char *file = broker->settings->password_file;
  char path[4096];
  const char *folder = getenv("CREDENTIALS_DIRECTORY");
  if (file[0] == '\0' && folder != NULL)
    snprintf(path, sizeof path, "%s/mqtt-password", folder);
  else
    snprintf(path, sizeof path, "%s", file);
  /* It is read again for each connection, which a pipe is not for; nor is it waited for one. */
  int fd = path[0] != '\0' ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
  struct stat status = {0};
  const char *reason =
      path[0] != '\0' ? NULL : "give --password-file, or the credential mqtt-password";
  ssize_t count = -1;
  if (fd >= 0 && fstat(fd, &status) == 0 && !S_ISREG(status.st_mode))
    reason = "it is no regular file";
  else if (fd >= 0 && (count = read(fd, password, size - 1)) >= 0)
    password[count] = '\0';
  if (count >= 0)
    password[strcspn(password, "\r\n")] = '\0';
  if (count >= 0 && password[0] == '\0')
    reason = "its first line is empty";
  if (count < 0 || reason != NULL) {
    if (!broker->has_lacked)
      feed_say("the password can't be read from %s: %s", path[0] != '\0' ? path : "nowhere",
               reason != NULL ? reason : strerror(errno));
    broker->has_lacked = 1;
    if (fd >= 0)
      close(fd);
    return -1;
  }
  broker->has_lacked = 0;
  if (file[0] != '\0' && (status.st_mode & 0077) != 0 && !broker->has_warned) {
    broker->has_warned = 1;
    feed_say("%s can be read by others than its owner: chmod 600 %s", path, path);
  }
  close(fd);
  return 0;
}

static const char *or_null(const char *text) { return text[0] != '\0' ? text : NULL; }

/* Whether a file that was given can be read; the library does not say which one it can't. */
static int is_readable(const char *option, const char *file) {
  if (file[0] == '\0' || access(file, R_OK) == 0)
    return 1;
  feed_say("%s can't be read from %s: %s", option, file, strerror(errno));
  return 0;
}

/* 0, or -1 where it has been said what is wrong. */
static int set_up_encryption(struct broker *broker) {
  const struct broker_settings *settings = broker->settings;
  const char *authority = settings->ca_file, *certificate = settings->certificate_file,
             *key = settings->key_file;
  if (!is_readable("--ca-file", authority) || !is_readable("--cert-file", certificate) ||
      !is_readable("--key-file", key))
    return -1;
  int result = mosquitto_tls_set(broker->client, or_null(authority),
                                 authority[0] != '\0' ? NULL : "/etc/ssl/certs",
                                 or_null(certificate), or_null(key), NULL);
  if (result == MOSQ_ERR_SUCCESS)
    return 0;
  feed_say("the certificates can't be used (--ca-file, --cert-file, --key-file): %s",
           mosquitto_strerror(result));
  return -1;
}

/* 0, or -1 where it has been said what is wrong. */
static int set_up(struct broker *broker) {
  const struct broker_settings *settings = broker->settings;
  char password[MOST_PASSWORD] = "";
  if (settings->user[0] != '\0') {
    if (read_password(broker, password, sizeof password) < 0)
      return -1;
    mosquitto_username_pw_set(broker->client, settings->user, password);
    explicit_bzero(password, sizeof password);
  }
  if (settings->is_encrypted && set_up_encryption(broker) < 0)
    return -1;
  atomic_store(&broker->untaken, 0);
  mosquitto_connect_callback_set(broker->client, on_connect);
  mosquitto_publish_callback_set(broker->client, on_publish);
  mosquitto_log_callback_set(broker->client, on_log);
  mosquitto_threaded_set(broker->client, true);
  mosquitto_will_set(broker->client, broker->availability, 7, "offline", 1, true);
  return 0;
}

static void fail(struct broker *broker, int result) {
  feed_say("%s port %d: %s", broker->settings->host, broker->settings->port,
           result == MOSQ_ERR_EAI ? "that name can't be found" : mosquitto_strerror(result));
  atomic_store(&broker->has_failed, 1);
  kill(getpid(), SIGTERM);
}

/* Returns whether it is ending. */
static int pause_for(struct broker *broker, time_t seconds) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += seconds;
  while (sem_clockwait(&broker->end, CLOCK_MONOTONIC, &until) < 0)
    if (errno != EINTR)
      return 0;
  return 1;
}

/* Serves the connection until it ends. Returns why, and whether the broker had accepted it. */
static int serve(struct broker *broker, int *was_connected) {
  int result = MOSQ_ERR_SUCCESS;
  while (result == MOSQ_ERR_SUCCESS) {
    result = mosquitto_loop(broker->client, -1, 1);
    if (broker->is_accepted) {
      /* A broker accepts once; each time it would be told all anew. */
      if (*was_connected)
        return MOSQ_ERR_PROTOCOL;
      *was_connected = 1;
      greet(broker);
    }
  }
  return result;
}

static void forget_connection(struct broker *broker) {
  pthread_mutex_lock(&broker->lock);
  broker->is_connected = 0;
  pthread_mutex_unlock(&broker->lock);
}

/*
 * The library's own loop ends for good at whatever TLS meets, a broker that is killed too; so this
 * is ours. Until it is attached the responder may be another output's, which is online: a
 * connection, or its last will, would say otherwise.
 */
static void *run(void *data) {
  struct broker *broker = data;
  const struct broker_settings *settings = broker->settings;
  time_t pause = LEAST_PAUSE_S;
  while (sem_wait(&broker->start) < 0 && errno == EINTR) {
  }
  if (memory_limit(MOST_MEMORY) < 0)
    feed_say("the memory that a broker may have can't be limited: %s", strerror(errno));
  for (int is_first = 1, is_set_up = 1;; is_first = 0) {
    int was_connected = 0, result = MOSQ_ERR_SUCCESS;
    broker->is_accepted = 0;
    if (atomic_load(&broker->is_ending))
      return NULL;
    if (is_set_up) {
      result = mosquitto_connect(broker->client, settings->host, settings->port, KEEPALIVE_S);
      if (is_first &&
          (result == MOSQ_ERR_EAI || result == MOSQ_ERR_INVAL || result == MOSQ_ERR_NOMEM)) {
        fail(broker, result);
        return NULL;
      }
      if (result == MOSQ_ERR_SUCCESS)
        result = serve(broker, &was_connected);
      int number = errno;
      forget_connection(broker);
      if (atomic_load(&broker->is_ending))
        return NULL;
      complain(broker, result, was_connected, number);
    }
    int is_its_fault = result == MOSQ_ERR_NOMEM || result == MOSQ_ERR_PROTOCOL;
    pause = was_connected && !is_its_fault ? LEAST_PAUSE_S : pause;
    if (pause_for(broker, pause))
      return NULL;
    pause = 2 * pause < MOST_PAUSE_S ? 2 * pause : MOST_PAUSE_S;
    broker->reason[0] = '\0';
    /* What was under way to the broker would be sent again, late, and behind what is so now. */
    is_set_up = mosquitto_reinitialise(broker->client, NULL, true, broker) == MOSQ_ERR_SUCCESS &&
                set_up(broker) == 0;
  }
}

struct broker *broker_create(const struct broker_settings *settings) {
  static struct broker broker;
  broker.settings = settings;
  snprintf(broker.availability, sizeof broker.availability, "%s/availability", settings->base);
  sem_init(&broker.start, 0, 0);
  sem_init(&broker.end, 0, 0);
  pthread_mutex_init(&broker.lock, NULL);
  mosquitto_lib_init();
  broker.client = mosquitto_new(NULL, true, &broker);
  if (broker.client == NULL) {
    feed_say("there is no memory for a connection");
    return NULL;
  }
  if (set_up(&broker) < 0)
    return NULL;
  int result = pthread_create(&broker.thread, NULL, run, &broker);
  if (result != 0)
    feed_say("there can be no thread for the connection: %s", strerror(result));
  return result == 0 ? &broker : NULL;
}

/* Waits until the broker has taken all that was said, the last word too; whether it has. */
static int is_taken(struct broker *broker) {
  uint64_t until_us = feed_now_us() + FAREWELL_S * 1000000u;
  while (atomic_load(&broker->untaken) > 0 && feed_now_us() < until_us)
    usleep(5000);
  return atomic_load(&broker->untaken) <= 0;
}

int broker_destroy(struct broker *broker) {
  broker_set_attached(broker, 0);
  atomic_store(&broker->is_ending, 1);
  sem_post(&broker->start);
  sem_post(&broker->end);
  pthread_mutex_lock(&broker->lock);
  int is_connected = broker->is_connected;
  pthread_mutex_unlock(&broker->lock);
  struct timespec until;
  /* Where the last word has not come through, the broker says it, by the last will that it has of
     a program that does not take leave. */
  int takes_leave = is_connected && is_taken(broker);
  if (takes_leave)
    mosquitto_disconnect(broker->client);
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += takes_leave ? FAREWELL_S : 0;
  /* It may be at an attempt, for minutes, or at a broker that does not read. */
  if (pthread_clockjoin_np(broker->thread, NULL, CLOCK_MONOTONIC, &until) != 0) {
    pthread_cancel(broker->thread);
    pthread_join(broker->thread, NULL);
  }
  return !broker->has_failed;
}

void broker_set_attached(struct broker *broker, int is_attached) {
  pthread_mutex_lock(&broker->lock);
  int is_new = broker->is_attached != is_attached;
  broker->is_attached = is_attached;
  if (is_new && broker->is_connected)
    say_availability(broker);
  pthread_mutex_unlock(&broker->lock);
  if (is_attached && broker->begun_us == 0) {
    broker->begun_us = feed_now_us();
    sem_post(&broker->start);
  }
}

void broker_publish(struct broker *broker, const char *topic, const char *json) {
  char whole[MOST_TOPIC];
  snprintf(whole, sizeof whole, "%s/%s", broker->settings->base, topic);
  /* What nobody hears in time is not said later: who pressed then has gone. */
  pthread_mutex_lock(&broker->lock);
  if (broker->is_connected && !is_stalled(broker))
    publish(broker, whole, json, 0);
  pthread_mutex_unlock(&broker->lock);
}

void broker_check(struct broker *broker, uint64_t now_us) {
  pthread_mutex_lock(&broker->lock);
  int is_connected = broker->is_connected;
  pthread_mutex_unlock(&broker->lock);
  if (!is_connected && broker->begun_us != 0 && now_us - broker->begun_us > PATIENCE_US &&
      !atomic_exchange(&broker->has_complained, 1))
    feed_say("%s port %d can't be reached; it is tried again", broker->settings->host,
             broker->settings->port);
}
