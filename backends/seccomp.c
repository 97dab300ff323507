/*
 * NAME.seccomp.h and NAME.audit.seccomp.h: the filter as an array of C99 and C++11, with a function that
 * installs it. Kernel headers alone: the two system calls are written in assembly, so that programs without a
 * C library, or with any, can use it.
 */
#include "backends/backend.h"
#include "backends/filter/filter.h"
#include "backends/quote.h"
#include "backends/strength.h"
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/policy.h"

struct seccomp_header {
	struct strbuf *out;
	const struct emission *emission;
	const char *identifier; /* what all names begin with: the audit header stands beside the other */
	bool audit;
};

static void add(struct seccomp_header *header, const char *template)
{
	quote_c_template(header->out, template, header->identifier);
}

/* A policy's name has no capital letters: no policy is called AUDIT_phase7. */
static void add_guard(struct seccomp_header *header)
{
	const char *guard = artifact_guard(header->emission->compilation->arena, header->emission->policy);
	if (header->audit)
		quote_c_template(header->out,
				 "#ifndef ALLOWC_SECCOMP_AUDIT_@_H\n"
				 "#define ALLOWC_SECCOMP_AUDIT_@_H\n"
				 "\n",
				 guard);
	else
		quote_c_template(header->out,
				 "#ifndef ALLOWC_SECCOMP_@_H\n"
				 "#define ALLOWC_SECCOMP_@_H\n"
				 "\n",
				 guard);
}

/*
 * Of p with a role gate and of p-gate all names are the same; of p.gate-audit and the audit of p.gate
 * too. One word alone is no other's.
 */
static void add_clash(struct seccomp_header *header)
{
	if (strchr(header->identifier, '_'))
		add(header,
		    "#ifdef $_FILTER_LENGTH\n"
		    "#error \"another header has these names, which begin with $: include it in another unit\"\n"
		    "#endif\n"
		    "\n");
}

static void add_top(struct seccomp_header *header)
{
	strbuf_add_text(header->out, "/* ");
	mark_add(header->out, header->emission->policy, quote_c_comment);
	strbuf_add_text(header->out,
			" */\n"
			"/*\n"
			" * The policy's seccomp filter, and a function that installs it. C99 and C++11;\n"
			" * kernel headers are all it needs.\n"
			" *\n");
	caveat_add(header->out, " * ", header->audit ? CAVEAT_AUDIT : strength_caveat(STRENGTH_SECCOMP),
		   quote_c_comment);
	strbuf_add_text(header->out, " */\n");
	add_guard(header);
	add_clash(header);
}

/* How a compiler says that it compiles for an ABI, and how that ABI enters the kernel. */
struct machine {
	enum abi abi;
	const char *condition;
	const char *call; /* arguments four and five are 0: prctl() wants them so */
};

static const struct machine machines[] = {
	{ ABI_X86_64, "defined(__x86_64__) && !defined(__ILP32__)",
	  "\t__asm__ __volatile__(\"xorl %%r10d, %%r10d\\n\\txorl %%r8d, %%r8d\\n\\tsyscall\"\n"
	  "\t\t\t     : \"=a\"(result)\n"
	  "\t\t\t     : \"0\"(number), \"D\"(first), \"S\"(second), \"d\"(third)\n"
	  "\t\t\t     : \"rcx\", \"r8\", \"r10\", \"r11\", \"cc\", \"memory\");\n" },
	{ ABI_X32, "defined(__x86_64__) && defined(__ILP32__)",
	  "\t__asm__ __volatile__(\"xorl %%r10d, %%r10d\\n\\txorl %%r8d, %%r8d\\n\\tsyscall\"\n"
	  "\t\t\t     : \"=a\"(result)\n"
	  "\t\t\t     : \"0\"(number), \"D\"(first), \"S\"(second), \"d\"(third)\n"
	  "\t\t\t     : \"rcx\", \"r8\", \"r10\", \"r11\", \"cc\", \"memory\");\n" },
	{ ABI_AARCH64, "defined(__aarch64__) && !defined(__AARCH64EB__) && !defined(__ILP32__)",
	  "\t__asm__ __volatile__(\"mov x8, %1\\n\\tmov x0, %2\\n\\tmov x1, %3\\n\\tmov x2, %4\\n\\t\"\n"
	  "\t\t\t     \"mov x3, xzr\\n\\tmov x4, xzr\\n\\tsvc #0\\n\\tmov %0, x0\"\n"
	  "\t\t\t     : \"=r\"(result)\n"
	  "\t\t\t     : \"r\"(number), \"r\"(first), \"r\"(second), \"r\"(third)\n"
	  "\t\t\t     : \"x0\", \"x1\", \"x2\", \"x3\", \"x4\", \"x8\", \"cc\", \"memory\");\n" },
	{ ABI_I386, "defined(__i386__)",
	  "\t__asm__ __volatile__(\"int $0x80\"\n"
	  "\t\t\t     : \"=a\"(result)\n"
	  "\t\t\t     : \"0\"(number), \"b\"(first), \"c\"(second), \"d\"(third), \"S\"(0), \"D\"(0)\n"
	  "\t\t\t     : \"cc\", \"memory\");\n" },
	/*
	 * r7 is where the number goes and what Thumb may use as its frame pointer, so it is put back before
	 * the compiler looks. Thumb-1 has eight registers: the arguments come from memory.
	 */
	{ ABI_ARM, "defined(__arm__) && defined(__ARM_EABI__) && !defined(__ARMEB__)",
	  "\tlong words[4];\n"
	  "\twords[0] = number;\n"
	  "\twords[1] = first;\n"
	  "\twords[2] = second;\n"
	  "\twords[3] = third;\n"
	  "\tresult = (long)words;\n"
	  "\t__asm__ __volatile__(\"ldr r0, [%0, #4]\\n\\tldr r1, [%0, #8]\\n\\tldr r2, [%0, #12]\\n\\t\"\n"
	  "\t\t\t     \"movs r3, #0\\n\\tmovs r4, #0\\n\\tmov r12, r7\\n\\tldr r7, [%0]\\n\\t\"\n"
	  "\t\t\t     \"svc #0\\n\\tmov r7, r12\\n\\tmov %0, r0\"\n"
	  "\t\t\t     : \"+r\"(result)\n"
	  "\t\t\t     :\n"
	  "\t\t\t     : \"r0\", \"r1\", \"r2\", \"r3\", \"r4\", \"r12\", \"cc\", \"memory\");\n" },
	{ ABI_RISCV64, "defined(__riscv) && __riscv_xlen == 64 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__",
	  "\t__asm__ __volatile__(\"mv a7, %1\\n\\tmv a0, %2\\n\\tmv a1, %3\\n\\tmv a2, %4\\n\\t\"\n"
	  "\t\t\t     \"li a3, 0\\n\\tli a4, 0\\n\\tecall\\n\\tmv %0, a0\"\n"
	  "\t\t\t     : \"=r\"(result)\n"
	  "\t\t\t     : \"r\"(number), \"r\"(first), \"r\"(second), \"r\"(third)\n"
	  "\t\t\t     : \"a0\", \"a1\", \"a2\", \"a3\", \"a4\", \"a7\", \"memory\");\n" },
	{ ABI_S390X, "defined(__s390x__)",
	  "\t__asm__ __volatile__(\"lgr %%r1, %1\\n\\tlgr %%r2, %2\\n\\tlgr %%r3, %3\\n\\tlgr %%r4, %4\\n\\t\"\n"
	  "\t\t\t     \"lghi %%r5, 0\\n\\tlghi %%r6, 0\\n\\tsvc 0\\n\\tlgr %0, %%r2\"\n"
	  "\t\t\t     : \"=r\"(result)\n"
	  "\t\t\t     : \"r\"(number), \"r\"(first), \"r\"(second), \"r\"(third)\n"
	  "\t\t\t     : \"r1\", \"r2\", \"r3\", \"r4\", \"r5\", \"r6\", \"cc\", \"memory\");\n" },
	/* The kernel gives an error as a positive number, and says so in a bit of the condition register. */
	{ ABI_PPC64LE, "defined(__powerpc64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__",
	  "\t__asm__ __volatile__(\"mr 0, %1\\n\\tmr 3, %2\\n\\tmr 4, %3\\n\\tmr 5, %4\\n\\t\"\n"
	  "\t\t\t     \"li 6, 0\\n\\tli 7, 0\\n\\tsc\\n\\tbns+ 1f\\n\\tneg 3, 3\\n1:\\tmr %0, 3\"\n"
	  "\t\t\t     : \"=r\"(result)\n"
	  "\t\t\t     : \"r\"(number), \"r\"(first), \"r\"(second), \"r\"(third)\n"
	  "\t\t\t     : \"r0\", \"r3\", \"r4\", \"r5\", \"r6\", \"r7\", \"r8\", \"r9\", \"r10\", \"r11\",\n"
	  "\t\t\t       \"r12\", \"cr0\", \"cr1\", \"cr5\", \"cr6\", \"cr7\", \"ctr\", \"xer\", \"memory\");\n" },
	{ ABI_LOONGARCH64, "defined(__loongarch64)",
	  "\t__asm__ __volatile__(\"move $a7, %1\\n\\tmove $a0, %2\\n\\tmove $a1, %3\\n\\tmove $a2, %4\\n\\t\"\n"
	  "\t\t\t     \"move $a3, $zero\\n\\tmove $a4, $zero\\n\\tsyscall 0\\n\\tmove %0, $a0\"\n"
	  "\t\t\t     : \"=r\"(result)\n"
	  "\t\t\t     : \"r\"(number), \"r\"(first), \"r\"(second), \"r\"(third)\n"
	  "\t\t\t     : \"$a0\", \"$a1\", \"$a2\", \"$a3\", \"$a4\", \"$a7\", \"$t0\", \"$t1\", \"$t2\", \"$t3\",\n"
	  "\t\t\t       \"$t4\", \"$t5\", \"$t6\", \"$t7\", \"$t8\", \"memory\");\n" },
};

enum { MACHINE_COUNT = sizeof machines / sizeof *machines };
_Static_assert(MACHINE_COUNT == (int)ABI_COUNT, "every ABI has a way into the kernel");

/* "(…) || (…)": true where the compiler compiles for one of these ABIs. */
static void add_condition(struct seccomp_header *header, unsigned abis)
{
	const char *joint = "";
	for (size_t i = 0; i < MACHINE_COUNT; i++) {
		if (!(abis >> machines[i].abi & 1))
			continue;
		strbuf_add_text(header->out, joint);
		strbuf_add_text(header->out, "(");
		strbuf_add_text(header->out, machines[i].condition);
		strbuf_add_text(header->out, ")");
		joint = " || \\\n      ";
	}
}

static void add_machine_check(struct seccomp_header *header)
{
	strbuf_add_text(header->out, "#if !(");
	add_condition(header, header->emission->policy->seccomp.abis);
	strbuf_add_text(header->out, ")\n#error ");
	quote_c(header->out, arena_printf(header->emission->compilation->arena,
					  "policy %s does not name the ABI that this is compiled for: its "
					  "filter would %s",
					  header->emission->policy->name,
					  header->audit ? "log every call" : "kill the program"));
	strbuf_add_text(header->out, "\n#endif\n\n");
}

static void add_includes(struct seccomp_header *header)
{
	strbuf_add_text(header->out, "#include <linux/errno.h>\n"
				     "#include <linux/filter.h>\n"
				     "#include <linux/prctl.h>\n"
				     "#include <linux/seccomp.h>\n"
				     "#include <linux/unistd.h>\n"
				     "\n"
				     "/* Kernel headers older than 5.7 do not have it. */\n"
				     "#ifndef SECCOMP_FILTER_FLAG_TSYNC_ESRCH\n"
				     "#define SECCOMP_FILTER_FLAG_TSYNC_ESRCH (1UL << 4)\n"
				     "#endif\n"
				     "\n");
}

static void add_program(struct seccomp_header *header, const struct filter *filter)
{
	add(header, "#define $_FILTER_LENGTH ");
	quote_number(header->out, filter->length);
	add(header, "\n"
		    "\n"
		    "static const struct sock_filter @_instructions[$_FILTER_LENGTH] = {\n");
	for (size_t i = 0; i < filter->length; i++)
		strbuf_printf(header->out, "\t{ 0x%02x, %u, %u, 0x%08x },\n", (unsigned)filter->code[i].code,
			      filter->code[i].jump_true, filter->code[i].jump_false,
			      filter->code[i].constant);
	strbuf_add_text(header->out, "};\n");
}

/* One program for each byte order of the named ABIs: the same ones as in NAME.bpf and NAME.be.bpf. */
static void add_code(struct seccomp_header *header)
{
	const struct filter *filter = header->emission->filter;
	if (filter->next) {
		strbuf_add_text(header->out,
				"/* Machines of each byte order have a program of their own. */\n#if ");
		add_condition(header, filter_abis(header->emission->policy, filter->next->big_endian));
		strbuf_add_text(header->out, "\n");
		add_program(header, filter->next);
		strbuf_add_text(header->out, "#else\n");
	}
	add_program(header, filter);
	strbuf_add_text(header->out, filter->next ? "#endif\n\n" : "\n");
}

static void add_call(struct seccomp_header *header)
{
	add(header, "/* A system call: what the kernel returns. */\n"
		    "static inline long @_filter_call(long number, long first, long second, long third)\n"
		    "{\n"
		    "\tlong result;\n");
	const char *directive = "#if ";
	for (size_t i = 0; i < MACHINE_COUNT; i++) {
		if (!policy_names_abi(header->emission->policy, machines[i].abi))
			continue;
		strbuf_add_text(header->out, directive);
		strbuf_add_text(header->out, machines[i].condition);
		strbuf_add_text(header->out, "\n");
		strbuf_add_text(header->out, machines[i].call);
		directive = "#elif ";
	}
	strbuf_add_text(header->out, "#endif\n"
				     "\treturn result;\n"
				     "}\n"
				     "\n");
}

static void add_install(struct seccomp_header *header)
{
	add(header,
	    "/*\n"
	    " * Installs the filter in all threads of the process, for good, and gives up the means to\n"
	    " * gain privileges by execve. Returns 0, or -errno; -ESRCH where another thread has filters\n"
	    " * that this one has not. After an error no thread has the new filter.\n"
	    " */\n"
	    "static inline int @_install_filter(void)\n"
	    "{\n"
	    "\tstruct sock_fprog program;\n"
	    "\tlong result;\n"
	    "\n"
	    "\tprogram.len = $_FILTER_LENGTH;\n"
	    "\tprogram.filter = (struct sock_filter *)@_instructions;\n"
	    "\tresult = @_filter_call(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0);\n"
	    "\tif (result == 0)\n"
	    "\t\tresult = @_filter_call(__NR_seccomp, SECCOMP_SET_MODE_FILTER,\n"
	    "\t\t\t\t\t(long)(SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_TSYNC_ESRCH),\n"
	    "\t\t\t\t\t(long)&program);\n"
	    "\t/* Kernels older than 5.7 do not know TSYNC_ESRCH: they return the other thread's id. */\n"
	    "\tif (result == -EINVAL)\n"
	    "\t\tresult = @_filter_call(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,\n"
	    "\t\t\t\t\t(long)&program);\n"
	    "\treturn result > 0 ? -ESRCH : (int)result;\n"
	    "}\n"
	    "\n"
	    "#endif\n");
}

static bool seccomp_owns(const struct policy *policy, const char *path)
{
	return artifact_is_named_for_role(policy, path, ".seccomp.h");
}

static bool seccomp_audit_owns(const struct policy *policy, const char *path)
{
	return artifact_is_named_for_role(policy, path, ".audit.seccomp.h");
}

static void seccomp_list(const struct emission *emission, struct artifacts *out)
{
	artifact_add(emission, out, &backend_seccomp, artifact_name(emission, ".seccomp.h"), "", 0);
}

static void seccomp_audit_list(const struct emission *emission, struct artifacts *out)
{
	artifact_add(emission, out, &backend_seccomp_audit, artifact_name(emission, ".audit.seccomp.h"), "",
		     0);
}

static void add_all(struct seccomp_header *header)
{
	add_top(header);
	add_machine_check(header);
	add_includes(header);
	add_code(header);
	add_call(header);
	add_install(header);
}

static void header_write(const struct emission *emission, struct artifacts *out,
			 const struct backend *backend, const char *path)
{
	struct strbuf text = STRBUF_INIT;
	struct seccomp_header header = {
		.out = &text,
		.emission = emission,
		.identifier = emission->policy->identifier,
		.audit = backend->audits,
	};
	if (header.audit)
		header.identifier = arena_printf(emission->compilation->arena, "%s_audit", header.identifier);
	add_all(&header);
	artifact_take(emission, out, backend, path, &text);
}

static bool seccomp_emit(const struct emission *emission, struct artifacts *out)
{
	header_write(emission, out, &backend_seccomp, artifact_name(emission, ".seccomp.h"));
	return true;
}

static bool seccomp_audit_emit(const struct emission *emission, struct artifacts *out)
{
	header_write(emission, out, &backend_seccomp_audit, artifact_name(emission, ".audit.seccomp.h"));
	return true;
}

const struct backend backend_seccomp = {
	.name = "seccomp",
	.summary = "NAME.seccomp.h: the seccomp filter for C and C++, with a function that installs it",
	.by_default = true,
	.needs_filter = true,
	.role_files = ROLE_FILES_FILTER,
	.audit = &backend_seccomp_audit,
	.owns = seccomp_owns,
	.list = seccomp_list,
	.emit = seccomp_emit,
};

const struct backend backend_seccomp_audit = {
	.name = "seccomp --audit",
	.summary = "NAME.audit.seccomp.h: the same with every refusal logged instead",
	.needs_filter = true,
	.role_files = ROLE_FILES_FILTER,
	.audits = true,
	.owns = seccomp_audit_owns,
	.list = seccomp_audit_list,
	.emit = seccomp_audit_emit,
};
