#define _GNU_SOURCE
#include "closer.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct waiting {
  struct waiting *next;
  int fd;
};

struct clinux_closer {
  /* The latest first. */
  _Atomic(struct waiting *) queue;
  atomic_size_t pending;
  /* Whether a thread sees to the queue, or is about to. */
  atomic_bool busy;
  /* The owner's, and the thread's. */
  atomic_int references;
};

/* Room for what libc keeps in a thread beside the few calls that are made here. */
static const size_t stack_bytes = 65536;

static int start(void *(*body)(void *), void *argument) {
  pthread_t thread;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0)
    return -1;
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  /* Signals are for the process's own threads. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int code = pthread_create(&thread, &attributes, body, argument);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return code == 0 ? 0 : -1;
}

static void wait_for(sem_t *semaphore) {
  while (sem_wait(semaphore) != 0) {
  }
}

/* The thread that has copies of all descriptors, and drops them by exiting. */
struct holder {
  sem_t has_copies, may_exit;
  atomic_int thread;
};

static void *hold(void *argument) {
  struct holder *holder = argument;
  atomic_store(&holder->thread, gettid());
  unshare(CLONE_FILES);
  sem_post(&holder->has_copies);
  wait_for(&holder->may_exit);
  return NULL;
}

/* A thread is told of before its descriptors are closed, and is not there any more after that. */
static void wait_for_exit(int thread) {
  struct timespec pause = {.tv_nsec = 50000};
  while (tgkill(getpid(), thread, 0) == 0) {
    nanosleep(&pause, NULL);
    if (pause.tv_nsec < 50000000)
      pause.tv_nsec *= 2;
  }
}

static size_t close_all(struct waiting *first) {
  size_t count = 0;
  while (first) {
    struct waiting *next = first->next;
    close(first->fd);
    free(first);
    first = next;
    count++;
  }
  return count;
}

static size_t close_with_holder(struct waiting *first) {
  struct holder holder;
  sem_init(&holder.has_copies, 0, 0);
  sem_init(&holder.may_exit, 0, 0);
  bool is_held = start(hold, &holder) == 0;
  if (is_held)
    wait_for(&holder.has_copies);
  size_t count = close_all(first);
  if (is_held) {
    sem_post(&holder.may_exit);
    wait_for_exit(atomic_load(&holder.thread));
  }
  sem_destroy(&holder.has_copies);
  sem_destroy(&holder.may_exit);
  return count;
}

static void let_go(struct clinux_closer *closer) {
  if (atomic_fetch_sub(&closer->references, 1) == 1)
    free(closer);
}

static void *work(void *argument) {
  struct clinux_closer *closer = argument;
  while (true) {
    struct waiting *batch = atomic_exchange(&closer->queue, NULL);
    if (batch) {
      atomic_fetch_sub(&closer->pending, close_with_holder(batch));
      continue;
    }
    atomic_store(&closer->busy, false);
    /* What came in between is this thread's, unless another was started for it. */
    if (!atomic_load(&closer->queue) || atomic_exchange(&closer->busy, true))
      break;
  }
  let_go(closer);
  return NULL;
}

static void see_to(struct clinux_closer *closer) {
  if (!atomic_load(&closer->queue) || atomic_exchange(&closer->busy, true))
    return;
  atomic_fetch_add(&closer->references, 1);
  if (start(work, closer) == 0)
    return;
  atomic_fetch_sub(&closer->references, 1);
  atomic_store(&closer->busy, false);
}

struct clinux_closer *clinux_closer_make(void) {
  struct clinux_closer *closer = malloc(sizeof *closer);
  if (!closer)
    return NULL;
  atomic_init(&closer->queue, NULL);
  atomic_init(&closer->pending, 0);
  atomic_init(&closer->busy, false);
  atomic_init(&closer->references, 1);
  return closer;
}

int clinux_closer_close(struct clinux_closer *closer, int fd) {
  struct waiting *item = malloc(sizeof *item);
  if (!item)
    return -1;
  item->fd = fd;
  atomic_fetch_add(&closer->pending, 1);
  item->next = atomic_load(&closer->queue);
  while (!atomic_compare_exchange_weak(&closer->queue, &item->next, item)) {
  }
  see_to(closer);
  return 0;
}

size_t clinux_closer_pending(struct clinux_closer *closer) {
  see_to(closer);
  return atomic_load(&closer->pending);
}

void clinux_closer_release(struct clinux_closer *closer) { let_go(closer); }
