#include "compiler/data/known_needs.h"

#include <stdlib.h>
#include <string.h>

#define CALLS(program, why, ...)                                                                             \
	{                                                                                                    \
		program, NULL, (const char *const[]){ __VA_ARGS__, NULL }, why                               \
	}
#define CAPABILITY(program, capability, why)                                                                 \
	{                                                                                                    \
		program, capability, NULL, why                                                               \
	}

const struct known_need known_need_table[] = {
	CALLS("bpftool", "it loads and lists programs by bpf(2): bpftool(8)", "bpf"),
	CALLS("bpftrace", "it loads its programs by bpf(2): bpftrace(8)", "bpf"),
	CALLS("bwrap", "it makes the sandbox's root of mounts: bwrap(1), and trials with bubblewrap 0.8",
	      "mount", "umount2", "pivot_root"),
	CALLS("chroot", "it changes its root by chroot(2): chroot(1)", "chroot"),
	CALLS("crun", "it mounts the container's root by mount(2): crun(1)", "mount"),
	CALLS("gdb", "it stops and reads the program by ptrace(2): gdb(1)", "ptrace"),
	CALLS("gdbserver", "it stops and reads the program by ptrace(2): gdbserver(1)", "ptrace"),
	CAPABILITY("insmod", "CAP_SYS_MODULE", "it loads a module: init_module(2)"),
	CAPABILITY("iptables", "CAP_NET_ADMIN", "it changes the kernel's tables: capabilities(7)"),
	CAPABILITY("kexec", "CAP_SYS_BOOT", "it loads another kernel: kexec_load(2)"),
	CALLS("keyctl", "it manages keys by keyctl(2): keyctl(1)", "keyctl"),
	CALLS("lldb-server", "it stops and reads the program by ptrace(2)", "ptrace"),
	CALLS("ltrace", "it stops the program at each call by ptrace(2): ltrace(1)", "ptrace"),
	CAPABILITY("modprobe", "CAP_SYS_MODULE", "it loads modules: init_module(2)"),
	CAPABILITY("mount", "CAP_SYS_ADMIN", "it mounts: mount(2)"),
	CAPABILITY("nft", "CAP_NET_ADMIN", "it changes the kernel's tables: capabilities(7)"),
	CALLS("nsenter", "it enters namespaces by setns(2): nsenter(1)", "setns"),
	CALLS("perf", "it counts events by perf_event_open(2): perf(1)", "perf_event_open"),
	CAPABILITY("pivot_root", "CAP_SYS_ADMIN", "it moves the root of a mount namespace: pivot_root(2)"),
	CAPABILITY("rmmod", "CAP_SYS_MODULE", "it unloads a module: delete_module(2)"),
	CALLS("runc", "it mounts the container's root by mount(2): runc(8)", "mount"),
	CALLS("strace", "it stops the program at each call by ptrace(2): strace(1)", "ptrace"),
	CAPABILITY("su", "CAP_SETUID", "it becomes another user: su(1), capabilities(7)"),
	CAPABILITY("sudo", "CAP_SETUID", "it becomes another user: sudo(8), capabilities(7)"),
	CALLS("swapoff", "it ends swapping by swapoff(2): swapoff(8)", "swapoff"),
	CALLS("swapon", "it starts swapping by swapon(2): swapon(8)", "swapon"),
	CALLS("systemd-nspawn", "it mounts the container's root by mount(2): systemd-nspawn(1)", "mount"),
	CAPABILITY("tcpdump", "CAP_NET_RAW", "it reads packets from a raw socket: packet(7)"),
	CALLS("umount", "it unmounts: umount2(2)", "umount2"),
	CALLS("unshare", "it makes namespaces by unshare(2): unshare(1)", "unshare"),
};

const size_t known_need_table_size = sizeof known_need_table / sizeof *known_need_table;

/* As strcmp() of the command's first word. */
static int compare(const void *command, const void *need)
{
	const char *program = ((const struct known_need *)need)->program;
	size_t size = strcspn(command, " ");
	int order = strncmp(command, program, size);
	return order ? order : -(program[size] != '\0');
}

const struct known_need *known_need_find(const char *command)
{
	return bsearch(command, known_need_table, known_need_table_size, sizeof *known_need_table, compare);
}
