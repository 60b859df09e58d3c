/** A time in milliseconds since 1970 as protobuf writes it. */
export function timestamp(ms: number): { seconds: bigint; nanos: number } {
  const seconds = Math.floor(ms / 1000)
  return { seconds: BigInt(seconds), nanos: (ms - seconds * 1000) * 1_000_000 }
}

/** Nanoseconds of a block's time beyond its milliseconds: real blocks have nine digits, whose last ones nobody foretells. */
const beyondMs = 248_454

/** The time of a block, or one that follows from it, in milliseconds since 1970 as protobuf writes it. */
export function blockTimestamp(ms: number): { seconds: bigint; nanos: number } {
  const { seconds, nanos } = timestamp(ms)
  return { seconds, nanos: nanos + beyondMs }
}

/** The time of a block in milliseconds since 1970 as JSON writes it. */
export function blockTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', `${beyondMs}Z`)
}

/** A time in milliseconds since 1970 as events write it: whole seconds. */
export function eventTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}/, '')
}

/** A span in seconds as protobuf writes it. */
export function duration(seconds: number): { seconds: bigint; nanos: number } {
  return { seconds: BigInt(seconds), nanos: 0 }
}
