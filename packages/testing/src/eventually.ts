import { inspect } from 'node:util'

/** Milliseconds between two looks. */
const PAUSE_MS = 10
/** Looks in a row that see the same before waiting ends: a minute of a process that runs. Looks are counted, so that a process that was stopped meanwhile loses none of them. */
const SAME_LOOKS = 6_000

/**
 * Waits until something holds that another part of the program, or another program, brings about. Ends when it holds, or when a minute of looks has seen nothing move.
 *
 * @param what is awaited, for the error
 * @param look reads the state; a state that differs from the one before is movement, so return what moves (rows, events, requests, blocks) rather than a boolean
 * @param holds judges the state; unless given, any value but false, null, undefined, 0 and '' holds
 * @returns the state that holds
 * @throws Error that names what was awaited and the state that was seen last
 */
export async function eventually<State>(
  what: string,
  look: () => State | Promise<State>,
  holds: (state: State) => boolean = Boolean,
): Promise<State> {
  let seen: string | undefined
  for (let same = 0; same < SAME_LOOKS; same++) {
    const state = await look()
    if (holds(state)) return state
    const shown = inspect(state, { depth: 4, breakLength: Number.POSITIVE_INFINITY })
    if (shown !== seen) same = 0
    seen = shown
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  throw new Error(`${what}: did not come about, and nothing moved in ${SAME_LOOKS} looks. Seen last: ${seen}`)
}
