import type { KeyStore } from './key-store.ts'
import { membersOf } from './members.ts'

/** A reading of something that grows. */
interface Sample {
  /** Time of the sample, in seconds since 1970. */
  readonly seconds: number
}

/** Rules for keeping samples. */
export interface Sampling<S extends Sample> {
  /** Key in the store. */
  readonly key: string
  /** Least time between two kept samples, in seconds. */
  readonly every: number
  /** Time for which a sample is kept, in seconds. */
  readonly keep: number
  /** Reads a kept value as a sample; null when it is none, as another version may have written it. */
  read(members: Readonly<Record<string, unknown>>): S | null
  /** Tells whether one sample can precede another on the same chain. A sample that cannot was a lie, or comes from a chain that began anew. */
  precedes(before: S, after: S): boolean
}

/** Adds a reading to the samples kept in the database, which are shared by all replicas and outlast restarts. @returns those that came before it, oldest first */
export async function takeSample<S extends Sample>(store: KeyStore, latest: S, sampling: Sampling<S>): Promise<readonly S[]> {
  const { key, every, keep, read, precedes } = sampling
  const record = await store.get(key)
  const before = (Array.isArray(record) ? record : [])
    .flatMap((each: unknown): S[] => {
      const { seconds } = membersOf(each)
      const sample = typeof seconds === 'number' && Number.isFinite(seconds) ? read(membersOf(each)) : null
      return sample ? [sample] : []
    })
    .filter((sample) => sample.seconds <= latest.seconds && latest.seconds - sample.seconds <= keep && precedes(sample, latest))
    .sort((a, b) => a.seconds - b.seconds)
  const newest = before.at(-1)
  if (newest === undefined || latest.seconds - newest.seconds >= every) await store.put(key, [...before, latest])
  return before
}
