import { isServiceError, type KitIo } from '@svc/contract'
import { createRpc } from '@svc/core'
import { createKeyStore, memoryRecords } from '@svc/core/plugins'
import { type AnyContext, SILENT_LOG } from '../direct.ts'
import { present } from '../present.ts'
import { PATIENT } from '../service.ts'
import type { Subject } from '../subject.ts'
import type { Endpoint } from './endpoint.ts'

/** Each value of an answer, by where it stands. */
export type Facts = ReadonlyMap<string, string>

/** Outcome of a request. */
export interface Outcome {
  /** As the service would answer: that of a refusal, 500 for a fault, 200. */
  readonly status: number
  /** None for a refusal. */
  readonly facts: Facts
  /** The refusal's code and sentence, or what was thrown. */
  readonly said: string
}

/** Something that is asked of the service: it answers by the facts that it is made of. */
export interface Probe {
  readonly name: string
  run(ctx: AnyContext): Promise<Facts>
  /** True if the answer may say null in place of what cannot be read. */
  readonly partial?: boolean
  /** @returns what of an answer is beyond what may be believed, or null */
  bound?(facts: Facts): string | null
}

/** Longest that a request may take when an endpoint lies: lies cost no time, so what takes longer counts, scans, or waits by them. */
const MOST_MS = 120_000

/** A service of its own on some endpoints, which requests are asked of one after the other. */
interface OpenTrial {
  run(probe: Probe): Promise<Outcome>
  close(): Promise<void>
}

/** What a trial differs in. */
interface TrialOptions {
  /** Endpoints by whose word a reading is believed. @default 1 */
  readonly agreement?: 1 | 2
  /** Takes the sentences that the group of endpoints logs. @default nobody reads them */
  readonly warned?: (sentence: string) => void
}

/**
 * Runs one request on a fresh service with these endpoints, best first: the real failover, a new client, nothing remembered.
 *
 * @param now of the service, so that no answer grows old while lies are told
 * @param agreement endpoints by whose word a reading is believed
 */
export async function trial(
  subject: Subject,
  endpoints: readonly Endpoint[],
  now: Date,
  probe: Probe,
  agreement: 1 | 2 = 1,
): Promise<Outcome> {
  const opened = openTrial(subject, endpoints, now, { agreement })
  try {
    return await opened.run(probe)
  } finally {
    await opened.close()
  }
}

/** Opens a trial of several requests, so that the later ones know what the first ones learn about the endpoints. The caller closes it. */
export function openTrial(subject: Subject, endpoints: readonly Endpoint[], now: Date, options: TrialOptions = {}): OpenTrial {
  const { kit, world, direct } = subject
  const own = groupOf(kit.endpoints, endpoints, { ...options, wall: () => now.getTime() })
  const further = new Map(
    Object.keys(world.endpoints).map((group) => [
      group,
      groupOf(
        group,
        endpoints.slice(-1).map((last) => last.further(group)),
      ),
    ]),
  )
  const io: KitIo = { ...own, log: SILENT_LOG, now: () => now }
  const client: unknown = kit.connect(direct.network, io)
  const ctx: AnyContext = {
    ...direct,
    client,
    now: () => now,
    memo: {},
    store: createKeyStore(memoryRecords(), 'lies', SILENT_LOG),
    upstream: (group) => (group === kit.endpoints ? own : (further.get(group) ?? null)),
  }
  return {
    async run(probe) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new TypeError(`no answer within ${MOST_MS} ms`)), MOST_MS)
      })
      try {
        return { status: 200, facts: await Promise.race([probe.run(ctx), late]), said: '' }
      } catch (error) {
        const status = isServiceError(error) ? error.statusCode : 500
        const message = isServiceError(error) ? `${error.code}: ${error.message}` : faultOf(error)
        return { status, facts: new Map(), said: message }
      } finally {
        clearTimeout(timer)
      }
    },
    async close() {
      await kit.close?.(client)
      own.close()
      for (const group of further.values()) group.close()
    },
  }
}

/** Makes the real failover over these endpoints, best first. @param options.wall clock by which the ages of heads are compared */
export function groupOf(
  name: string,
  endpoints: readonly Endpoint[],
  { agreement = 1, warned, wall }: TrialOptions & { readonly wall?: () => number } = {},
) {
  return createRpc({
    name,
    agreement,
    endpoints: endpoints.map(({ url }) => ({ url })),
    log: warned ? { warn: (_line: unknown, sentence?: unknown) => warned(String(sentence)) } : SILENT_LOG,
    ...(wall ? { wall } : {}),
    timeoutMs: PATIENT.timeout_ms,
    deadlineMs: PATIENT.deadline_ms,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      return present(
        endpoints.find(({ url }) => request.url.startsWith(url)),
        `an endpoint at ${request.url}`,
      ).fetch(request)
    },
  })
}

/** Writes an error's kind, message and first place in the stack, for the author of the fault. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const place = /at .*?([\w-]+\/src\/[^)\s]+)/.exec(error.stack ?? '')?.[1] ?? ''
  return `${error.name}: ${error.message}${place ? ` (${place})` : ''}`
}
