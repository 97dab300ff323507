#include "compiler/data/equivalents.h"

#define CALLS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Each does what the others do. */
#define SET(...)                                                                                             \
	{                                                                                                    \
		NULL, CALLS(__VA_ARGS__), false, ARGUMENTS_ALIKE, 0                                          \
	}
/* Each does a part of it. */
#define PARTS(...)                                                                                           \
	{                                                                                                    \
		NULL, CALLS(__VA_ARGS__), true, ARGUMENTS_APART, 0                                           \
	}
/* One call does what each of them does. */
#define DOOR(call, ...)                                                                                      \
	{                                                                                                    \
		call, CALLS(__VA_ARGS__), false, ARGUMENTS_APART, 0                                          \
	}

/* Each does what the others do, by arguments that are not the same. */
#define UNLIKE(...)                                                                                          \
	{                                                                                                    \
		NULL, CALLS(__VA_ARGS__), false, ARGUMENTS_APART, 0                                          \
	}
/* What the call does by such bits is a part of what the other does by them. */
#define BITS(bits, ...)                                                                                      \
	{                                                                                                    \
		NULL, CALLS(__VA_ARGS__), true, ARGUMENTS_ONLY, bits                                         \
	}
/* One call does what each of them does, by arguments that no filter sees; a set has it otherwise. */
#define HIDDEN(call, ...)                                                                                    \
	{                                                                                                    \
		call, CALLS(__VA_ARGS__), false, ARGUMENTS_ONLY, 0                                           \
	}

/*
 * CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET; others mean the reverse in unshare(2).
 */
#define NAMESPACES 0x7e020000

const struct equivalents equivalents_table[] = {
	/* processes */
	SET("execve", "execveat"),
	SET("clone", "clone3", "fork", "vfork"),
	HIDDEN("clone3", "clone"),
	BITS(NAMESPACES, "clone", "unshare"),
	PARTS("ptrace", "process_vm_readv", "process_vm_writev"),
	SET("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal"),
	SET("setrlimit", "prlimit64"),
	SET("setuid", "setuid32", "setreuid", "setreuid32", "setresuid", "setresuid32"),
	SET("setgid", "setgid32", "setregid", "setregid32", "setresgid", "setresgid32"),
	SET("setgroups", "setgroups32"),
	SET("setfsuid", "setfsuid32"),
	SET("setfsgid", "setfsgid32"),
	/* files */
	SET("openat", "open", "openat2", "creat"),
	HIDDEN("openat2", "openat", "open"),
	SET("unlinkat", "unlink"),
	SET("rmdir", "unlinkat"),
	SET("renameat2", "rename", "renameat"),
	SET("linkat", "link"),
	SET("symlinkat", "symlink"),
	SET("mkdirat", "mkdir"),
	SET("mknodat", "mknod"),
	SET("chmod", "fchmodat", "fchmodat2", "fchmod"),
	SET("chown", "chown32", "fchownat", "lchown", "lchown32", "fchown", "fchown32"),
	SET("setxattr", "lsetxattr", "fsetxattr", "setxattrat"),
	SET("removexattr", "lremovexattr", "fremovexattr", "removexattrat"),
	SET("truncate", "truncate64"),
	SET("ftruncate", "ftruncate64"),
	SET("getdents64", "getdents", "readdir"),
	SET("fcntl", "fcntl64"),
	SET("sendfile", "sendfile64"),
	SET("utimensat", "utimensat_time64", "utimes", "utime", "futimesat"),
	SET("inotify_init1", "inotify_init"),
	/* memory */
	SET("mmap", "mmap2"),
	SET("mprotect", "pkey_mprotect"),
	/* the network */
	SET("accept4", "accept"),
	SET("sendto", "send", "sendmsg", "sendmmsg"),
	SET("recvfrom", "recv", "recvmsg", "recvmmsg", "recvmmsg_time64"),
	DOOR("socketcall", "socket", "bind", "connect", "listen", "accept", "accept4", "getsockname",
	     "getpeername", "socketpair", "send", "recv", "sendto", "recvfrom", "shutdown", "setsockopt",
	     "getsockopt", "sendmsg", "recvmsg", "recvmmsg", "sendmmsg"),
	/* What stands behind a pointer, or in a ring. */
	DOOR("ipc", "semop", "semget", "semctl", "semtimedop", "msgsnd", "msgrcv", "msgget", "msgctl",
	     "shmat", "shmdt", "shmget", "shmctl"),
	DOOR("io_uring_setup", "socket", "connect", "bind", "listen", "accept", "accept4", "sendmsg",
	     "sendto", "send", "recvmsg", "recvfrom", "recv", "openat", "openat2", "open", "creat",
	     "unlinkat", "unlink", "rmdir", "renameat2", "renameat", "rename", "linkat", "link", "symlinkat",
	     "symlink", "mkdirat", "mkdir"),
	/* the system */
	PARTS("mount", "fsmount", "fspick", "move_mount", "open_tree", "open_tree_attr", "mount_setattr"),
	SET("umount2", "umount"),
	SET("init_module", "finit_module"),
	UNLIKE("kexec_load", "kexec_file_load"),
	SET("clock_settime", "clock_settime64", "settimeofday", "stime"),
	SET("clock_adjtime", "clock_adjtime64", "adjtimex"),
	SET("vm86", "vm86old"),
	/* 64-bit times on 32-bit ABIs */
	SET("futex", "futex_time64"),
	SET("clock_gettime", "clock_gettime64"),
	SET("clock_nanosleep", "clock_nanosleep_time64"),
	SET("timer_settime", "timer_settime64"),
	SET("timerfd_settime", "timerfd_settime64"),
	SET("ppoll", "ppoll_time64", "poll"),
	SET("pselect6", "pselect6_time64", "select", "_newselect"),
	SET("mq_timedsend", "mq_timedsend_time64"),
	SET("mq_timedreceive", "mq_timedreceive_time64"),
	SET("semtimedop", "semtimedop_time64", "semop"),
	SET("rt_sigtimedwait", "rt_sigtimedwait_time64"),
	SET("io_pgetevents", "io_pgetevents_time64", "io_getevents"),
};

const size_t equivalents_table_size = sizeof equivalents_table / sizeof *equivalents_table;
