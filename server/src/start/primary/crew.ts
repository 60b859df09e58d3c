import type { Order } from '../messages.ts'
import { type Hand, hire } from './hand.ts'
import type { Holdings } from './holdings.ts'
import type { Say } from './say.ts'

/** The workers of a service: those that serve, those that are about to, and those that answer their last requests. */
interface Crew {
  /**
   * Starts as many workers as the config wants; when all of them serve, those before them end. Resolves when those take no more connections.
   *
   * @param isReload whether the config is to be refused when its service is not well
   * @returns what the first of them says of its config, in sentences
   * @throws Refusal when one of them will not serve; then nothing has changed
   */
  change(isReload: boolean): Promise<readonly string[]>
  /** Has all of them answer what is under way and end. @returns 0, or 1 when one did not end in order */
  stop(): Promise<number>
  /** Ends all of them at once. */
  kill(): void
  /** Has those that serve say what they counted. */
  askCounts(): readonly Hand[]
}

interface CrewOptions {
  readonly order: Pick<Order, 'file' | 'port' | 'host' | 'portBy'>
  readonly holdings: Holdings
  readonly say: Say
  /** Hears what a worker counted. */
  readonly onCounted: (worker: number) => void
  /** Hears that nobody serves any more and that trying again is of no use. */
  readonly onHopeless: () => void
}

/** A worker that lived so long, in milliseconds, did not end for what ended those before it. */
const WELL_MS = 60_000
/** So many that end in a row while nobody serves are the end: whoever started the service has to know. */
const MOST_DEATHS = 10

/** Milliseconds before a worker is replaced, by how many have ended in a row: 0.1 s, and twice as long each time up to half a minute. */
const backoff = (deaths: number) => Math.min(100 * 2 ** (deaths - 1), 30_000)

/** Workers that serve one config. */
interface Generation {
  readonly hands: Set<Hand>
  /** As its first worker read it; null where it cannot be passed on, and each reads the file. */
  accepted: string | null
}

/** Makes a crew without workers; `change` starts the first. A worker that ends by itself is replaced, after a longer pause each time while none serves. */
export function createCrew({ order, holdings, say, onCounted, onHopeless }: CrewOptions): Crew {
  const all = new Set<Hand>()
  let current: Generation = { hands: new Set(), accepted: null }
  let stopping = false
  let deaths = 0
  /** When the last one ended that was to serve. */
  let died = 0

  /** @param generation whose config it takes; one that is the first of its kind reads the file */
  function start(generation: Generation, isReload: boolean): Hand {
    const hand = hire(
      { ...order, isReload, ...(generation.accepted === null ? {} : { accepted: generation.accepted }) },
      {
        claim: holdings.claim,
        counted(worker, series) {
          holdings.counted(worker, series)
          onCounted(worker)
        },
        broken: () => lost(generation, hand, 'broke'),
      },
    )
    all.add(hand)
    void hand.ended.then((code) => {
      all.delete(hand)
      holdings.ended(hand.id)
      holdings.keep(new Set([...all].map(({ id }) => id)))
      lost(generation, hand, code === null ? 'was ended by a signal' : `ended with code ${code}`)
    })
    return hand
  }

  async function begin(generation: Generation, isReload: boolean): Promise<readonly string[]> {
    const first = start(generation, isReload)
    generation.hands.add(first)
    const { workers, accepted, notes } = await first.ready
    generation.accepted = accepted
    const others = Array.from({ length: workers - 1 }, () => start(generation, isReload))
    for (const hand of others) generation.hands.add(hand)
    await Promise.all(others.map(({ ready }) => ready))
    return notes
  }

  /** Replaces a worker that is to serve and does not. */
  function lost(generation: Generation, hand: Hand, how: string): void {
    if (stopping || generation !== current || !generation.hands.delete(hand)) return
    const now = performance.now()
    deaths = now - died > WELL_MS ? 1 : deaths + 1
    died = now
    say('error', `A worker ${how} while it served; another one takes its place.`, { worker: hand.pid, deaths })
    replace(generation)
  }

  function replace(generation: Generation): void {
    if (deaths >= MOST_DEATHS && generation.hands.size === 0) {
      onHopeless()
      return
    }
    setTimeout(() => {
      if (stopping || generation !== current) return
      const hand = start(generation, false)
      hand.ready.then(
        () => {
          if (generation === current && !stopping) generation.hands.add(hand)
          else void hand.stop()
        },
        (error: Error) => {
          if (stopping || generation !== current) return
          deaths++
          died = performance.now()
          say('error', `The worker in its place does not serve: ${error.message}`, { deaths })
          replace(generation)
        },
      )
    }, backoff(deaths))
  }

  return {
    async change(isReload) {
      const generation: Generation = { hands: new Set(), accepted: null }
      let notes: readonly string[]
      try {
        notes = await begin(generation, isReload)
        if (stopping) throw new Error('The service is being stopped.')
      } catch (error) {
        for (const hand of generation.hands) void hand.stop()
        throw error
      }
      const before = current
      current = generation
      deaths = 0
      const others = [...all].filter((hand) => !generation.hands.has(hand))
      // Those that end were not lost.
      before.hands.clear()
      // One that ended while the others began.
      for (const hand of generation.hands) if (!all.has(hand)) lost(generation, hand, 'ended')
      await Promise.all(others.map((hand) => hand.stop()))
      return notes
    },
    async stop() {
      stopping = true
      const serving = new Set(current.hands)
      const codes = await Promise.all(
        [...all].map(async (hand) => {
          void hand.stop()
          const code = await hand.ended
          return serving.has(hand) ? code : 0
        }),
      )
      return codes.every((code) => code === 0) ? 0 : 1
    },
    kill() {
      stopping = true
      for (const hand of all) hand.kill()
    },
    askCounts() {
      const serving = [...current.hands]
      for (const hand of serving) hand.askCount()
      return serving
    },
  }
}
