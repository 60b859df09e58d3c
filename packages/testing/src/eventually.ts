import { inspect } from 'node:util'

/** Milliseconds between two looks, unless the caller says otherwise. */
const PAUSE_MS = 10
/**
 * Milliseconds of looks that see the same before waiting ends: the service itself looks again after a minute at the latest. Looks are counted, so that a process that was
 * stopped meanwhile loses none of them.
 */
const STILL_MS = 120_000

/**
 * Waits until a state is reached that another part of the program, or another program, brings about. Ends when it is reached, or when two minutes of looks have seen no
 * change.
 *
 * @param what is awaited, for the error
 * @param look reads the state; a state that differs from the one before is movement, so return what moves (rows, events, requests, blocks) rather than a boolean, and nothing that
 *   is another each time (an answer with its headers), by which the wait would never end
 * @param holds judges the state; unless given, any value but false, null, undefined, 0 and '' holds
 * @param pauseMs milliseconds between two looks, more for a look that counts against a limit
 * @returns the state that holds
 * @throws Error that names what was awaited and the state that was seen last
 */
export async function eventually<State>(
  what: string,
  look: () => State | Promise<State>,
  holds: (state: State) => boolean = Boolean,
  pauseMs = PAUSE_MS,
): Promise<State> {
  const most = STILL_MS / pauseMs
  let last: string | undefined
  for (let same = 0; same < most; same++) {
    const state = await look()
    if (holds(state)) return state
    const text = inspect(state, { depth: 4, breakLength: Number.POSITIVE_INFINITY })
    if (text !== last) same = 0
    last = text
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  throw new Error(`${what}: did not come about, and nothing moved in ${most} looks. Seen last: ${last}`)
}
