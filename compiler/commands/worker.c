#include "compiler/commands/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/base/strbuf.h"

/* Below so many jobs a process costs more than it saves; more of them than this wait for the disk alone. */
enum { JOBS_MIN = 64, WORKERS_MAX = 8 };

static const uint32_t nothing = UINT32_MAX; /* in place of an answer's size */

/* Those that the run may use: a container has few of the many that are online. A machine of more than 1,024
 * does not fit the set, and lacks none. */
static size_t cores_count(void)
{
	cpu_set_t cores;
	return sched_getaffinity(0, sizeof cores, &cores) == 0 ? (size_t)CPU_COUNT(&cores) : WORKERS_MAX;
}

size_t workers_wanted(size_t jobs)
{
	size_t wanted = cores_count();
	if (wanted > WORKERS_MAX)
		wanted = WORKERS_MAX;
	return jobs / JOBS_MIN < wanted ? jobs / JOBS_MIN + !(jobs / JOBS_MIN) : wanted;
}

/* ---- in the worker ---- */

static bool answer_send(FILE *answers, bool good, const struct strbuf *out)
{
	uint32_t size = good && out->size < nothing ? (uint32_t)out->size : nothing;
	if (fwrite(&size, sizeof size, 1, answers) != 1)
		return false;
	return size == nothing || size == 0 || fwrite(out->bytes, size, 1, answers) == 1;
}

static _Noreturn void worker_work(FILE *answers, size_t first, size_t end, worker_function *work,
				  void *context)
{
	struct strbuf out = STRBUF_INIT;
	bool heard = true;
	for (size_t job = first; job < end && heard; job++) {
		out.size = 0;
		bool good = work(context, job, &out);
		heard = answer_send(answers, good, &out);
	}
	fflush(answers);
	_exit(0); /* what the run itself has not printed yet is not the worker's to print */
}

/* ---- in the run ---- */

static void ends_close(const int *ends)
{
	close(ends[0]);
	close(ends[1]);
}

/* Nobody waits for the answers of a run that is gone. It may be gone before this is said. */
static void end_with(pid_t run)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != run)
		_exit(1);
}

/* That memory has run out (die.h) is nothing to tell: the run does the job itself. */
static void stderr_silence(void)
{
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (nowhere < 0 || dup2(nowhere, STDERR_FILENO) < 0)
		_exit(1);
	close(nowhere);
}

/* The ends of those before it too, or it would hold open what only the run reads. */
static void run_ends_close(const struct worker *workers, size_t index, int end)
{
	close(end);
	for (size_t i = 0; i < index; i++)
		if (workers[i].answers)
			close(fileno(workers[i].answers));
}

void worker_begin(struct worker *workers, size_t index, size_t first, size_t end, worker_function *work,
		  void *context)
{
	struct worker *worker = &workers[index];
	*worker = (struct worker){ .pid = -1 };
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return;
	pid_t run = getpid();
	worker->pid = fork();
	if (worker->pid < 0) {
		ends_close(ends);
		return;
	}
	FILE *stream = worker->pid ? fdopen(ends[0], "r") : fdopen(ends[1], "w");
	if (worker->pid) {
		close(ends[1]);
		worker->answers = stream;
		if (!stream)
			close(ends[0]);
		return;
	}
	end_with(run);
	stderr_silence();
	run_ends_close(workers, index, ends[0]);
	if (!stream)
		_exit(1);
	worker_work(stream, first, end, work, context);
}

static bool answer_receive(struct worker *worker, struct strbuf *out)
{
	uint32_t size;
	if (fread(&size, sizeof size, 1, worker->answers) != 1) {
		worker_end(worker);
		return false;
	}
	if (size == nothing)
		return false;
	size_t before = out->size;
	strbuf_reserve(out, size);
	if (size && fread(out->bytes + before, size, 1, worker->answers) != 1) {
		worker_end(worker);
		return false;
	}
	out->size = before + size;
	out->bytes[out->size] = '\0';
	return true;
}

bool worker_answer(struct worker *worker, struct strbuf *out)
{
	return worker->answers && answer_receive(worker, out);
}

void worker_end(struct worker *worker)
{
	if (worker->answers)
		fclose(worker->answers);
	worker->answers = NULL;
	while (worker->pid > 0 && waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR)
		;
	worker->pid = -1;
}
