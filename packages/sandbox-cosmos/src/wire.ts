/** Converts a time in milliseconds since 1970 to protobuf's form. */
export function timestamp(ms: number): { seconds: bigint; nanos: number } {
  const seconds = Math.floor(ms / 1000)
  return { seconds: BigInt(seconds), nanos: (ms - seconds * 1000) * 1_000_000 }
}

/** Nanoseconds of a block's time beyond its milliseconds: real blocks have nine digits, whose last ones nobody foretells. */
const beyondMs = 248_454

/** Converts the time of a block, or one that follows from it, in milliseconds since 1970, to protobuf's form. */
export function blockTimestamp(ms: number): { seconds: bigint; nanos: number } {
  const { seconds, nanos } = timestamp(ms)
  return { seconds, nanos: nanos + beyondMs }
}

/** Formats the time of a block, in milliseconds since 1970, as in JSON. */
export function blockTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', `${beyondMs}Z`)
}

/** Formats a time in milliseconds since 1970 as in events: in whole seconds. */
export function eventTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}/, '')
}

/** Converts a span in seconds to protobuf's form. */
export function duration(seconds: number): { seconds: bigint; nanos: number } {
  return { seconds: BigInt(seconds), nanos: 0 }
}
