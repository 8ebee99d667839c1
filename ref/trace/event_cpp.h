/*
 * event_cpp.h - <trace/event.h> for C++11 and later, which infers the types
 * of arguments.
 *
 * These types are accepted: bool, integers, enumerations, floating point,
 * pointers, nullptr, C strings, std::string (and every type with data() and
 * size() of chars, such as std::string_view), and the results of TA_*. A
 * temporary string in a TRACE_DURATION lives as long as its scope.
 */
#ifndef TRACE_EVENT_CPP_H
#define TRACE_EVENT_CPP_H

#include "event_internal.h"

#ifdef __cplusplus

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace trace
{
namespace internal
{

inline struct trace_value to_value(struct trace_value value)
{
	return value;
}

inline struct trace_value to_value(std::nullptr_t)
{
	return TA_NULL();
}

inline struct trace_value to_value(const char *text)
{
	return TA_STRING(text);
}

inline struct trace_value to_value(char *text)
{
	return TA_STRING(text);
}

inline struct trace_value to_value(bool truth)
{
	return TA_BOOL(truth);
}

template <typename T> inline struct trace_value to_value(T *pointer)
{
	return TA_POINTER(pointer);
}

template <typename T, typename = typename std::enable_if<
			      std::is_arithmetic<T>::value>::type>
inline struct trace_value to_value(T number)
{
	if (std::is_floating_point<T>::value)
		return TA_DOUBLE(static_cast<double>(number));
	if (std::is_signed<T>::value)
		return sizeof(T) <= 4 ? TA_INT32(static_cast<int32_t>(number))
				      : TA_INT64(static_cast<int64_t>(number));
	return sizeof(T) <= 4 ? TA_UINT32(static_cast<uint32_t>(number))
			      : TA_UINT64(static_cast<uint64_t>(number));
}

template <typename T,
	  typename std::enable_if<std::is_enum<T>::value, int>::type = 0>
inline struct trace_value to_value(T value)
{
	return to_value(
		static_cast<typename std::underlying_type<T>::type>(value));
}

template <typename T>
inline auto to_value(const T &text) -> typename std::enable_if<
	std::is_convertible<decltype(text.data()), const char *>::value,
	struct trace_value>::type
{
	return TA_CHAR_ARRAY(text.data(), text.size());
}

/*
 * How an argument is kept until its record is written: a small type by value,
 * a class by reference, or the object itself if it is a temporary.
 */
template <typename T> struct Kept {
	typedef typename std::decay<T>::type Plain;
	typedef typename std::conditional<
		std::is_class<Plain>::value &&
			std::is_lvalue_reference<T>::value,
		const Plain &, Plain>::type type;
};

/* Names and values in turn, and a last pair that is not counted. */
template <typename... T> class Args
{
      public:
	explicit Args(T &&...given) : kept_(std::forward<T>(given)...)
	{
	}

	struct Array {
		struct trace_arg at[sizeof...(T) / 2];
	};

	static constexpr std::size_t count()
	{
		return sizeof...(T) / 2 - 1;
	}

	Array array() const
	{
		static_assert(sizeof...(T) % 2 == 0,
			      "each trace argument has a name and a value");
		static_assert(count() <= TRACE_MAX_ARGS,
			      "too many trace arguments");
		Array all;

		fill<0>(all);
		return all;
	}

      private:
	template <std::size_t I>
	typename std::enable_if<(I <= count())>::type fill(Array &all) const
	{
		all.at[I].name = std::get<2 * I>(kept_);
		all.at[I].value = to_value(std::get<2 * I + 1>(kept_));
		fill<I + 1>(all);
	}

	template <std::size_t I>
	typename std::enable_if<(I > count())>::type fill(Array &) const
	{
	}

	std::tuple<typename Kept<T>::type...> kept_;
};

template <typename... T> inline Args<T...> args(T &&...given)
{
	return Args<T...>(std::forward<T>(given)...);
}

/*
 * The variable that TRACE_DURATION declares. `Make` makes the Args if they
 * are needed.
 */
template <typename Make> class Scope
{
	typedef decltype(std::declval<const Make &>()()) Kept;

      public:
	Scope(bool on, const char *category, const char *name, const Make &make)
	    : category_(category), name_(name), start_(0)
	{
		if (!on)
			return;
		Kept kept = make(); /* may throw */

		new (&room_) Kept(std::move(kept));
		start_ = trace_ticks_now();
	}

	~Scope()
	{
		if (!start_)
			return;
		Kept *kept = reinterpret_cast<Kept *>(&room_);

		trace_internal_complete(category_, name_, start_,
					kept->array().at, Kept::count());
		kept->~Kept();
	}

	Scope(const Scope &) = delete;
	Scope &operator=(const Scope &) = delete;

      private:
	const char *category_;
	const char *name_;
	uint64_t start_;
	typename std::aligned_storage<sizeof(Kept), alignof(Kept)>::type room_;
};

} // namespace internal
} // namespace trace

#define TRACE_INTERNAL_LAST static_cast<const char *>(nullptr), nullptr

/*
 * A single expression, so that temporaries among the arguments live until its
 * end.
 */
#define TRACE_INTERNAL_WRITE(function, fixed, ...)                \
	function(TRACE_INTERNAL_STRIP fixed,                      \
		 ::trace::internal::args(__VA_ARGS__).array().at, \
		 decltype(::trace::internal::args(__VA_ARGS__))::count())

#define TRACE_INTERNAL_OPEN(site, make, scope, category, name, ...)         \
	TRACE_INTERNAL_SITE(site)                                           \
	auto make = [&] { return ::trace::internal::args(__VA_ARGS__); };   \
	::trace::internal::Scope<decltype(make)> scope(                     \
		TRACE_INTERNAL_IS_ON(site, (category)), (category), (name), \
		make);
#endif

#endif
