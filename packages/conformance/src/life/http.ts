import { membersOf, type Status } from '@svc/contract'
import { shown } from '../check.ts'
import type { Client } from '../http.ts'
import type { Service } from '../service.ts'
import type { FamilyLife, Scene, Stage } from './family.ts'
import { flawIn } from './shape.ts'
import { type Clock, STEP_MS } from './watcher.ts'

/** Times that the service is asked before it is taken for not telling. */
const MOST = 20

/** Answer of the service on a transaction. */
interface Told {
  /** null for a lookup that could not be made. */
  readonly status: Status | null
  readonly said: string
  /** Part of the answer that does not fit the schema, or null. */
  readonly flaw: string | null
  readonly json: Readonly<Record<string, unknown>>
}

/** A caller who follows transactions by the running service alone. */
export interface Follower {
  /** Lets the service learn of a transaction as the scene says. @throws when it refuses */
  learn(scene: Pick<Scene, 'given'>, stage: Stage): Promise<void>
  /** Asks while the service's clock passes, until one of these is told, and proven. */
  until(txHash: string, statuses: readonly Status[]): Promise<readonly Told[]>
}

/**
 * Makes a follower, who asks a service for the life of a transaction over HTTP.
 *
 * @param clock of the service; `tellsOutcome` says whether its nodes know what a transaction in a block has paid
 */
export async function follow(
  service: Service,
  clock: Clock,
  { tellsOutcome = true, byWallet = false }: Pick<FamilyLife, 'tellsOutcome'> & { readonly byWallet?: boolean } = {},
): Promise<Follower> {
  const client = await service.client()
  /** Who signed what was learnt of last, for families that find no transaction by its hash alone. */
  let signer = ''
  const ask = (txHash: string) => askOf(client, byWallet ? `${txHash}?wallet=${signer}` : txHash, txHash, tellsOutcome)
  return {
    async learn({ given }, { body, txHash, wallet }) {
      signer = wallet.address
      const answer = await (given === 'broadcast'
        ? client.post('/action/broadcast', body)
        : given === 'tracked'
          ? client.post('/transaction/track', body)
          : client.get(`/transaction/${byWallet ? `${txHash}?wallet=${signer}` : txHash}`))
      if (answer.status !== 200) throw new TypeError(`${given}: the service answered ${answer.status} ${shown(answer.text)}`)
      // The first look, at what can be seen now.
      await ask(txHash)
    },
    async until(txHash, statuses) {
      const answers: Told[] = []
      while (answers.length < MOST) {
        const answer = await ask(txHash)
        answers.push(answer)
        if (answer.status !== null && statuses.includes(answer.status) && settled(answer)) break
        clock.pass(STEP_MS)
      }
      return answers
    },
  }
}

/** Tells whether an answer is settled: an end without proof is none, but what can still land is never proven for good. */
function settled({ status, json }: Told): boolean {
  return status === 'pending' || status === 'unknown' || json.certainty === 'proven'
}

async function askOf(client: Client, asked: string, txHash: string, tellsOutcome: boolean): Promise<Told> {
  const answer = await client.get(`/transaction/${asked}`)
  const json = membersOf(answer.json)
  if (answer.status !== 200) return { status: null, said: `${answer.status} ${shown(answer.text)}`, flaw: null, json }
  const status = String(json.status) as Status
  return { status, said: `${status} (${json.finality}, ${json.certainty})`, flaw: flawIn(json, txHash, tellsOutcome), json }
}
