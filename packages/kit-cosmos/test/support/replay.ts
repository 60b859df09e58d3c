import { isServiceError, membersOf } from '@svc/contract'
import { type Recording, recording, recordings } from '@svc/testing/recordings'
import { connect, hubOne, hubTwo, type Node, now, status } from './node.ts'

/** A chain that was recorded: what it is to the kit, and of whom it was asked. */
export const RECORDED = {
  hub: {
    chain: hubOne,
    chainId: 'cosmoshub-4',
    asked: 'cosmos13qth8swz409zt78xrywytp8277sdzh5qu2hf2x',
    sender: 'cosmos17zk3k2ezjhrusz5rmev5yl0wjcnnvv64tvzaqa',
    validator: 'cosmosvaloper1864te3kssmm7003y2nsf74npt356u5ehc8g9hz',
  },
  celestia: {
    chain: hubTwo,
    chainId: 'celestia',
    asked: 'celestia13qth8swz409zt78xrywytp8277sdzh5qdqxest',
    sender: 'celestia17zk3k2ezjhrusz5rmev5yl0wjcnnvv646xnd6s',
    validator: 'celestiavaloper15uelzlk4w98w5vhfy79l0c0rk8da870u3x6rcn',
  },
} as const

export type RecordedChain = keyof typeof RECORDED

/** What a node that keeps no results says of any block. */
const { error: noResults } = membersOf(recording('celestia', 'block-results-head').response.body)

/** A node that answers every question as it was recorded, HTTP status and all, and tells a head of now. Of what came of a block that was recorded it keeps nothing. */
export function replaying(chainId: string, { request, response }: Recording): Pick<Node, 'fetch'> {
  const live = status(chainId, { latest_block_time: now.toISOString() })
  const sync_info = { ...live.sync_info, latest_block_height: '2000', earliest_block_height: '1', earliest_block_time: now.toISOString() }
  const isOfBlock = membersOf(request.body).method === 'block'
  return {
    fetch: (async (_url: unknown, init: RequestInit) => {
      const calls = JSON.parse(String(init.body))
      const all: readonly { id: number; method: string }[] = Array.isArray(calls) ? calls : [calls]
      const { jsonrpc: _, id: __, ...told } = membersOf(response.body)
      // What is no answer to a call is the answer to the whole request.
      if (!('result' in told) && (response.status !== 200 || !('id' in membersOf(response.body))))
        return new Response(typeof response.body === 'string' ? response.body : JSON.stringify(response.body), { status: response.status })
      const answers = all.map(({ id, method }) => ({
        jsonrpc: '2.0',
        id,
        ...(method === 'status'
          ? { result: { ...live, sync_info } }
          : isOfBlock && method === 'block_results'
            ? { error: noResults }
            : told),
      }))
      return Response.json(Array.isArray(calls) ? answers : answers[0])
    }) as typeof fetch,
  }
}

/** The kit on a node that answers as recorded. */
export function replayed(of: RecordedChain, recording: Recording) {
  const { chain, chainId, validator } = RECORDED[of]
  const { ctx } = connect(chain, replaying(chainId, recording), {})
  return { ...ctx, network: { ...ctx.network, chainId, validator, former_validators: [] } }
}

/** What a reader comes to: its value, or the code of its refusal and, where the chain gave a reason, the reason. */
export async function cameTo(read: () => Promise<unknown>): Promise<string> {
  try {
    return shown(await read())
  } catch (error) {
    if (!isServiceError(error)) throw error
    const [, reason = ''] = /would refuse this transaction: (.*)$/.exec(error.message) ?? []
    return reason === '' ? `! ${error.code}` : `! ${error.code}: ${reason}`
  }
}

/** Recordings whose names match. */
export const allOf = (of: RecordedChain, pattern: RegExp) => [...recordings(of).values()].filter(({ name }) => pattern.test(name))

function shown(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'bigint') return String(value)
  return JSON.stringify(value, (_, each) => {
    if (typeof each === 'bigint') return String(each)
    if (each instanceof Uint8Array) return `${each.length} bytes`
    return each
  })
}
