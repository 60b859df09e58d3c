import { looks, setScene } from '../endpoints/scene.ts'
import { without } from '../lacking.ts'
import { createRecording, type Endpoint } from '../lies/endpoint.ts'
import { requestsOf } from '../lies/requests.ts'
import { type Outcome, type Probe, trial } from '../lies/trial.ts'
import type { Subject } from '../subject.ts'

/** Looks after which a landed transaction is told as final by a node that is well. */
const LOOKS = 2

/** Requests that a node answers, and those of them that fail when the node does not serve a call. */
interface Consequences {
  /** Number of requests that a node answers which is well. */
  readonly count: number
  /**
   * @returns a sentence for each request that fails when the node does not serve the call, and does not fail otherwise; and whether staking-info, which moves nothing, lacks a term then
   */
  lacking(call: string): Promise<{ readonly failures: readonly string[]; readonly isInfoShort: boolean }>
}

/**
 * Makes every kind of request to a node: each craft, a balance, staking-info, reads of the plugin's own, a broadcast, and the state of a landed transaction.
 *
 * @returns why it cannot be asked, where the driver of the family does not say what that takes
 */
export async function consequencesOf(subject: Subject): Promise<Consequences | string> {
  const { family, kit } = subject
  const { liar, life } = family
  if (!liar || !life || !kit.life) return `the driver of the family ${family.family} has no liar, or no scenes`
  const scene = await setScene(subject, life, liar)
  const requests = await requestsOf(subject)
  // Asked each time: a broadcast moves the chain on, and what was recorded before would be of another head.
  const healthy = createRecording(subject).live('well')
  const info = infoProbe(subject)
  const asks: readonly (readonly [name: string, ask: (endpoint: Endpoint) => Promise<Outcome>])[] = [
    ...requests.map((probe) => [probe.name, (endpoint: Endpoint) => trial(subject, [endpoint], scene.now, probe)] as const),
    ['status', stands],
  ]
  const baseline: (typeof asks)[number][] = []
  for (const ask of asks) if (!isFailure(await ask[1](healthy))) baseline.push(ask)
  return {
    count: baseline.length,
    async lacking(call) {
      const fetch: Endpoint['fetch'] = (request) => without(call, (input, init) => healthy.fetch(new Request(input, init)))(request)
      const endpoint = { ...healthy, url: 'http://lacking.invalid', fetch }
      const failures: string[] = []
      for (const [name, ask] of baseline) {
        const outcome = await ask(endpoint)
        if (isFailure(outcome)) failures.push(`${name}: ${outcome.status} ${outcome.said}`)
      }
      return { failures, isInfoShort: isFailure(await trial(subject, [endpoint], scene.now, info)) }
    },
  }

  async function stands(endpoint: Endpoint): Promise<Outcome> {
    const { outcome } = await looks(subject, [endpoint], scene.followed, scene.now, LOOKS)
    const isLost = outcome.look?.status === 'unknown'
    return { status: isLost ? 503 : outcome.status, facts: new Map(), said: isLost ? 'unknown' : outcome.said }
  }
}

/** A term that is not told, the service answers with 503 until it is. */
function infoProbe({ protocol }: Subject): Probe {
  return {
    name: 'staking-info',
    async run(ctx) {
      const terms = Object.entries(await protocol.info(ctx))
      const [name] = terms.find(([, value]) => value === undefined) ?? []
      if (name !== undefined) throw new TypeError(`${name} is not told`)
      return new Map()
    },
  }
}

/** A refusal below 500 is the chain's, and stays one. */
function isFailure({ status }: Outcome): boolean {
  return status >= 500
}
