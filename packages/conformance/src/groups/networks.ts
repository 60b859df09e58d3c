import { itemsOf, membersOf } from '@svc/contract'
import { firstProblem } from '@svc/contract/host'
import { networkSchema } from '@svc/core/plugins'
import type { Check } from '../check.ts'
import type { Client } from '../http.ts'
import { present } from '../present.ts'
import { FULL, NARROW, WITHOUT } from '../service.ts'
import type { Subject } from '../subject.ts'

interface Item {
  readonly name: string
  readonly type: string
  readonly chain_id: string
  readonly is_default: boolean
}

/** Tests that `/networks` lists exactly the networks enabled for the account, and that X-NETWORK accepts no others. */
export async function networks(subject: Subject, check: Check): Promise<void> {
  const { world, family, protocol } = subject
  const [first, second] = [world.chainId, family.otherChainId]
  const service = await subject.serve({
    chainIds: [first, second],
    accounts: { [NARROW]: { name: 'One network', plugins: { [protocol.name]: { networks: { [second]: {} }, default_network: second } } } },
  })
  try {
    const full = await service.client(FULL)
    check.equal(await ids(full), [first, second], 'an account without restrictions sees every network')
    await shape(subject, check, full)

    const narrow = await service.client(NARROW)
    check.equal(await ids(narrow), [second], 'an account sees only the networks enabled for it')
    await shape(subject, check, narrow)

    const without = await service.client(WITHOUT)
    const hidden = await without.get('/networks')
    check.equal([hidden.status, hidden.code], [404, 'NOT_FOUND'], 'to an account without the plugin it is not there')

    const wallet = world.freshWallet(family)
    const path = `/staking-balance/${wallet.address}`
    for (const [client, network, status, code] of [
      [full, 'nowhere', 400, 'NETWORK_NOT_ENABLED'],
      [narrow, first, 400, 'NETWORK_NOT_ENABLED'],
      [full, first, 200, undefined],
      [full, '', 400, 'REQUEST_INVALID'],
    ] as const) {
      for (const read of [path, '/staking-info', '/networks']) {
        const answer = await client.get(read, { 'x-network': network })
        check.equal([answer.status, answer.code], [status, code], `${read} on the network "${network}" answers ${status}`)
      }
    }
    const action = present(subject.actions[0], 'an action')
    const crafted = await narrow.post(`/action/${action}`, (await subject.example(action)).body, {
      'x-network': first,
    })
    check.equal([crafted.status, crafted.code], [400, 'NETWORK_NOT_ENABLED'], 'nothing is crafted for a network that is not enabled')
  } finally {
    await service.close()
  }
}

async function ids(client: Client): Promise<unknown> {
  const { status, json } = await client.get('/networks')
  return status === 200 ? itemsOf(json).map((item) => membersOf(item).chain_id) : status
}

async function shape({ protocol, kit }: Subject, check: Check, client: Client): Promise<void> {
  const items = (await client.get('/networks')).json as Item[]
  const schema = networkSchema(protocol.networkTitle ?? 'Network')
  for (const item of items) {
    check.equal(firstProblem(schema, item, item.chain_id), null, 'an item of /networks fits its schema')
    check.equal(Object.keys(item), ['name', 'type', 'chain_id', 'is_default'], 'an item of /networks has four members')
    check.equal(item.type, kit.type, "an item of /networks has the family's type")
  }
  check.equal(items.filter((item) => item.is_default).length, 1, 'exactly one network is the default')
}
