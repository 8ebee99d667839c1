/*
 * lib/async-loop/cpp/loop.h - async::Loop; from C the C functions alone.
 */
#ifndef LIB_ASYNC_LOOP_CPP_LOOP_H
#define LIB_ASYNC_LOOP_CPP_LOOP_H

#include <lib/async-loop/loop.h>

#ifdef __cplusplus

namespace async
{

class Loop
{
      public:
	explicit Loop(const async_loop_config_t *config) : loop_(nullptr)
	{
		async_loop_create(config, &loop_);
	}

	~Loop()
	{
		async_loop_destroy(loop_);
	}

	Loop(const Loop &) = delete;
	Loop &operator=(const Loop &) = delete;

	zx_status_t StartThread(const char *name = nullptr)
	{
		return loop_ ? async_loop_start_thread(loop_, name, nullptr)
			     : ZX_ERR_NO_MEMORY;
	}

	void Run()
	{
		async_loop_run(loop_);
	}

	void Quit()
	{
		async_loop_quit(loop_);
	}

	void Shutdown()
	{
		async_loop_shutdown(loop_);
	}

	async_loop_t *loop() const
	{
		return loop_;
	}

	async_dispatcher_t *dispatcher() const
	{
		return async_loop_get_dispatcher(loop_);
	}

      private:
	async_loop_t *loop_;
};

} // namespace async

#endif

#endif
