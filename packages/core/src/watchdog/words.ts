import type { Folders } from './blame.ts'

/** Interval at which the main thread gives a sign, and the watchdog looks for it, in milliseconds. */
export const BEAT_MS = 250
/** Index in the shared memory at which the signs are counted. */
export const BEATS = 0
/** Index in the shared memory that is 1 while a debugger is attached, in which somebody may stop the main thread on purpose. */
export const DEBUGGED = 1

/** Orders from the main thread to the watchdog. */
export type Order =
  | { readonly kind: 'loading'; readonly name: string; readonly folder: string; readonly ms: number }
  | { readonly kind: 'loaded' }
  /** `stallMs` is null when nothing is watched; `logs` are file descriptors. */
  | { readonly kind: 'watch'; readonly folders: Folders; readonly logs: readonly number[]; readonly stallMs: number | null }

/** A time in which the main thread did nothing else. */
export interface Stall {
  /** Duration so far, or in all, in milliseconds. */
  readonly ms: number
  /** In whose folder it was; null where that is not known. */
  readonly plugin: string | null
  /** File and line where it was seen; null within a native call. */
  readonly at: string | null
}

/** Says in a sentence what kept the main thread, for the log. */
export function stallWords({ ms, plugin }: Stall, isOver: boolean): string {
  const who = plugin === null ? 'something that is in no plugin’s folder' : `the plugin ${plugin}`
  const seconds = (ms / 1000).toFixed(1)
  return isOver
    ? `nothing was answered for ${seconds} s, health neither: ${who} kept the process`
    : `nothing has been answered for ${seconds} s, health neither: ${who} keeps the process`
}
