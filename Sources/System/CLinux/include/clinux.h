/* What Glibc's Swift module leaves out: declarations behind _GNU_SOURCE, variadic calls and macros.
 *
 * _GNU_SOURCE is defined in clinux.c alone. Defined here it would give the system's types another
 * shape than in Swift's own Glibc module, and no file could import both: what needs it is wrapped
 * in a function. */
#pragma once
#include <getopt.h>
#include <linux/sockios.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

/* The peer of a connected Unix socket, as SO_PEERCRED gives it. 0, or -1 with errno set. */
int clinux_peer_credentials(int fd, int32_t *pid, uint32_t *uid, uint32_t *gid);

/*
 * The supplementary groups of that peer, as SO_PEERGROUPS gives them: `count` says how many there
 * is room for, and then how many there are. 0, or -1 with errno set; ERANGE: there are more.
 */
int clinux_peer_groups(int fd, uint32_t *groups, uint32_t *count);

/*
 * The bytes of a Unix stream socket that the peer has not read yet (SIOCOUTQ). -1 with errno set on
 * failure.
 */
int clinux_unread_by_peer(int fd);

/*
 * Reads from a Unix stream socket, without waiting, and keeps its hands off descriptors that were
 * passed with the bytes: to drop the last reference to another's file may wait, for as long as
 * whoever passed it likes. It looks first (MSG_PEEK), which drops none, and then takes no more than
 * it has seen.
 *
 * The count of bytes, 0 at the end of the stream, or -1 with errno set. EBADMSG: a descriptor lies
 * among the next bytes. None of them was taken then, and the socket is good for nothing but its
 * close, which may wait. The socket has SO_OOBINLINE (clinux_out_of_band_inline).
 */
ssize_t clinux_receive(int fd, void *bytes, size_t size);

/* A listener's next connection, non-blocking and close-on-exec (accept4). -1 with errno set. */
int clinux_accept(int fd);

/* A descriptor that can always be read from, close-on-exec (eventfd). -1 with errno set. */
int clinux_always_readable(void);

/*
 * Has a byte that is sent out of band read in its order. Otherwise the read that comes to it drops
 * it, and a descriptor that was passed with it. 0, or -1 with errno set.
 */
int clinux_out_of_band_inline(int fd);

/*
 * Has passing a descriptor fail with EPERM, over a Unix socket and over the connections that it
 * accepts from now on (SO_PASSRIGHTS). 0, or -1 with errno set; ENOPROTOOPT before Linux 6.16.
 */
int clinux_refuse_descriptors(int fd);

/* A socket's number, which no other socket has until the system stops (SO_COOKIE); 0 on failure. */
uint64_t clinux_socket_cookie(int fd);

/*
 * A directory, or the file of that name in one and never what a symbolic link there names, as a
 * descriptor that nothing can be read from (O_PATH), close-on-exec. -1 with errno set.
 */
int clinux_open_path(int directory, const char *name, int is_directory);

/*
 * Set the group and the mode of the file behind such a descriptor. The mode goes by /proc/self/fd:
 * older kernels have no call for it. 0, or -1 with errno set.
 */
int clinux_set_group(int fd, uint32_t group);
int clinux_set_mode(int fd, uint32_t mode);

/* A file in no folder, close-on-exec (memfd_create). -1 with errno set on failure. */
int clinux_memory_file(const char *name);

/*
 * What an errno means, in English whatever the locale; never NULL, never freed. Safe in any thread,
 * as strerror is not.
 */
const char *clinux_error_text(int code);

/*
 * Makes an evdev device ours alone, or lets go of it (EVIOCGRAB). 0, or -1 with errno set; EBUSY:
 * another has it.
 */
int clinux_evdev_grab(int fd, int grab);

/*
 * The resolution of an absolute axis of an evdev device, in units a millimetre (EVIOCGABS); 0 where
 * the device does not say, -1 where it has no such axis.
 */
int clinux_evdev_resolution(int fd, int axis);

/*
 * How many values an absolute axis of an evdev device has, from the least to the greatest
 * (EVIOCGABS); 0 if it has no such axis.
 */
int64_t clinux_evdev_units(int fd, int axis);

/* Whether an evdev device says when it has scanned its surface (MSC_TIMESTAMP). */
int clinux_evdev_says_time(int fd);

/* The greatest value of an absolute axis of an evdev device (EVIOCGABS); 0 or -1 if it has none. */
int clinux_evdev_maximum(int fd, int axis);

/*
 * The latest value that each slot of an evdev device has of an axis such as ABS_MT_TOUCH_MAJOR, in
 * values[1] to values[count] (EVIOCGMTSLOTS). No event is taken from the queue. 0, or -1 with errno
 * set.
 */
int clinux_evdev_slots(int fd, int axis, int32_t *values, size_t count);

/* Whether the shell's pattern matches the whole text; `*` matches slashes too (fnmatch). */
int clinux_pattern_matches(const char *pattern, const char *text);

/*
 * The names of a user and a group of the machine's own, from /etc/passwd and /etc/group, cut at
 * size. 0, or -1 if there is none. No name service is asked, which could keep the caller waiting.
 */
int clinux_user_name(uint32_t uid, char *name, size_t size);
int clinux_group_name(uint32_t gid, char *name, size_t size);

/* One step of getopt_long, which prints nothing: the option's `val`, -1 at the end, ':' where an
 * option lacks its value, '?' where it is unknown or ambiguous, or has a value that it can't have.
 * `value` is the option's; `next` the index of the argument that comes next, 0 at the beginning. */
int clinux_next_option(
    int argc, char *const *argv, const struct option *options, const char **value, int *next);

/*
 * Blocks signals, but those that this process ignores, and gives a descriptor that can be read
 * once one of them has come, close-on-exec (signalfd). -1 with errno set on failure.
 */
int clinux_signal_descriptor(const int *signals, size_t count);

/*
 * How many columns of a terminal a character takes, by the locale in force; -1 where that does not
 * know it (wcwidth).
 */
int clinux_character_width(uint32_t character);

/* The size of the terminal behind a descriptor, in characters; 0, or -1 where it is none. */
int clinux_terminal_size(int fd, int *columns, int *rows);

/* The next signal of such a descriptor; 0 where none has come. */
int clinux_next_signal(int fd);

/*
 * A socket to the service manager, by what NOTIFY_SOCKET says: a path, or @ and the rest of an
 * abstract name. Close-on-exec and non-blocking. -1 with errno set.
 */
int clinux_notify_connect(const char *address);

/*
 * Sends a state of sd_notify's, and copies of descriptors, at most 253, without ever waiting as
 * sd_notify does. 0, or -1 with errno set; EAGAIN: the service manager has not read what was sent
 * before. The socket can be written to (POLLOUT) once it has.
 */
int clinux_notify_send(int fd, const char *state, const int *descriptors, size_t count);

/*
 * Starts /bin/sh with these words behind its name, of which the last is NULL: in a process group of
 * its own, with nothing to read at its standard input, no signal blocked, and SIGPIPE as is usual;
 * all else is this process's. Its pid, or -1 with errno set.
 */
int32_t clinux_start_shell(char *const *words);

/* Gives memory that is free back to the system (malloc_trim). Whoever allocates meanwhile may wait
 * for some of it. */
void clinux_return_memory(void);

/* Sets the allocator up (mallopt), before the first thread. Threads share so many arenas, in place
 * of eight for each processor: what lies free in one, no thread of another gets. Of what lies
 * free at an arena's end, free() gives back all but some 256 KiB; a piece of 1 MiB or more it gives
 * back whole. */
void clinux_set_up_allocator(int32_t arenas);
