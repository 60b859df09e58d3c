import type { SuiGrpcClient } from '@mysten/sui/grpc'
import { malformedAnswer } from '@svc/contract'
import { answer } from './answer.ts'
import type { ServiceInfo } from './service-info.ts'
import { readSystemState, SYSTEM_STATE_PATHS, type SystemState } from './system-state.ts'

/** Time for which a state is taken for the epoch's: it does not change before the epoch ends, though what a node said may have been wrong. */
const REMEMBERED_MS = 3_000_000
/** Time after that in which the last state is still told without a question: whoever reads it once an hour leaves no gap. */
const TOLD_MS = 3_600_000

interface SystemStates {
  /** The remembered one where there is one that fits, else the node's. @param live what the node that is asked says of itself @throws EndpointError */
  present(sui: SuiGrpcClient, live: Promise<ServiceInfo>, endpoint: number): Promise<SystemState>
  /** Remembers one that was read, and is believed. */
  keep(state: SystemState): void
  /** The last one that was read; undefined where none was for nearly two hours. */
  remembered(): SystemState | undefined
}

/** Makes the cache of the present epoch's system state, which is large. A reading takes one wave, or two when a new epoch has begun. */
export function systemStates(now: () => number): SystemStates {
  let cache: { readonly state: SystemState; readonly until: number } | undefined
  /** Under way, by endpoint. */
  const fetching = new Map<number, Promise<SystemState>>()

  function fetched(sui: SuiGrpcClient, endpoint: number): Promise<SystemState> {
    const earlier = fetching.get(endpoint)
    // Whoever began it may have been given up meanwhile.
    if (earlier) return earlier.catch(() => fetched(sui, endpoint))
    const running = answer(sui.ledgerService.getEpoch({ readMask: { paths: [...SYSTEM_STATE_PATHS] } }).response)
      .then(readSystemState)
      .finally(() => fetching.delete(endpoint))
    fetching.set(endpoint, running)
    return running
  }

  const rememberedFor = (ms: number) => (cache !== undefined && now() < cache.until + ms ? cache.state : undefined)

  return {
    remembered: () => rememberedFor(TOLD_MS),
    async present(sui, live, endpoint) {
      const snapshot = rememberedFor(0)
      const [{ epoch }, first] = await Promise.all([live, snapshot ?? fetched(sui, endpoint)])
      // A node that is live may have yet to see the epoch begin; one that is further behind what is remembered was told something wrong.
      const fits = (state: SystemState) => state.epoch === epoch || state.epoch === epoch + 1n
      const state = fits(first) ? first : await fetched(sui, endpoint)
      if (!fits(state)) throw malformedAnswer(state.epoch)
      return state
    },
    keep(state) {
      if (state !== cache?.state) cache = { state, until: now() + REMEMBERED_MS }
    },
  }
}
