import t from 'tap'
import { get, mint } from '../support/service.ts'
import { hasShape, NETWORK } from '../support/shape.ts'

t.test('the networks endpoint answers an array of networks', async (t) => {
  const { status, json } = await get('networks')
  t.equal(status, 200)
  t.equal(json.length, 1)
  for (const network of json) hasShape(t, network, NETWORK, 'a network')
})

t.test('its type is the type string of the blockchain, and its chain_id the value for X-NETWORK', async (t) => {
  const { json } = await get('networks')
  t.match(json, [{ type: 'ETHEREUM', chain_id: '143' }])
  const headers = { 'x-api-key': (await mint('key')).value, 'x-network': json[0].chain_id }
  t.equal((await get('staking-info', headers)).status, 200)
})

t.test('exactly one network is the default, the one used when X-NETWORK is omitted', async (t) => {
  const { json } = await get('networks')
  t.equal(json.filter(({ is_default }: { is_default: boolean }) => is_default).length, 1)
})

t.test('a network that is not enabled has no endpoint and is not listed', async (t) => {
  const { json } = await get('networks')
  t.notMatch(JSON.stringify(json), /10143/)
  const headers = { 'x-api-key': (await mint('key')).value, 'x-network': '10143' }
  t.match(await get('staking-info', headers), { status: 400, json: { code: 'NETWORK_NOT_ENABLED' } })
})
