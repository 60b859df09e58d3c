/** Time of the youngest block that an endpoint told, and the time of this machine when it did. */
export interface Sighting {
  /** Time of the block, in milliseconds since 1970, by the chain. */
  readonly head: number
  /** Time when the endpoint told it, in milliseconds since 1970, by this machine. */
  readonly at: number
}

/** By how much a chain's youngest block may be ahead of this machine, in milliseconds: callers refuse an answer that is further ahead of theirs. @see https://www.rfc-editor.org/rfc/rfc9421#section-7.2.2 and docs/response-signatures.md, rule 5 */
const MOST_AHEAD_MS = 30_000
/** By how much all of them may lie back, in milliseconds: below the 300 s after which callers refuse an answer, and many blocks of the slowest chain here. @see https://ethereum.org/developers/docs/blocks/ (slots of 12 s, read 2026-11-28) */
const MOST_BACK_MS = 240_000

/**
 * Compares this machine's clock with the youngest block of any chain: a node that is behind proves nothing about the clock.
 *
 * @returns a sentence with both times; null where they agree, and where no chain told one
 */
export function clockWarning(sightings: readonly Sighting[]): string | null {
  const [first, ...others] = sightings
  if (first === undefined) return null
  const youngest = others.reduce((best, each) => (each.at - each.head < best.at - best.head ? each : best), first)
  const backMs = youngest.at - youngest.head
  if (backMs >= -MOST_AHEAD_MS && backMs <= MOST_BACK_MS) return null
  const [ours, theirs] = [youngest.at, youngest.head].map((time) => new Date(time).toISOString())
  const seconds = Math.round(Math.abs(backMs) / 1000)
  const why =
    backMs < 0
      ? `a block is never made before its time, so this machine's clock is behind`
      : "this machine's clock is ahead, or every chain that is asked stands still"
  return `clock: this machine says ${ours}, and the youngest block of any chain is of ${theirs}, ${seconds} s ${backMs < 0 ? 'later' : 'before'}: ${why}. Callers who verify answers refuse those of a clock that is wrong, and keys, limits and validities are by it: set it by NTP.`
}

/** By how much the youngest block of an endpoint may be older than that of another one of its network, in milliseconds: some blocks of the slowest chain here. @see https://ethereum.org/developers/docs/blocks/ (slots of 12 s, read 2026-11-28) */
const MOST_BEHIND_MS = 60_000

/** An endpoint of a network, with what it told. */
interface Told {
  /** Place of the network's settings. */
  readonly path: string
  readonly endpoint: string
  readonly sighting: Sighting | null
}

/** Compares the youngest blocks of the endpoints of each network. @returns a sentence on each endpoint that lies behind another one */
export function behindWarnings(reports: readonly Told[]): readonly string[] {
  const views = reports.flatMap(({ path, endpoint, sighting }) =>
    sighting === null ? [] : [{ path, endpoint, backMs: sighting.at - sighting.head }],
  )
  return views.flatMap(({ path, endpoint, backMs }) => {
    const behindMs = backMs - views.filter((each) => each.path === path).reduce((least, each) => Math.min(least, each.backMs), backMs)
    if (behindMs <= MOST_BEHIND_MS) return []
    return [`${path}: endpoint ${endpoint} is ${Math.round(behindMs / 1_000)} s behind the best one of its network, and is asked after it.`]
  })
}
