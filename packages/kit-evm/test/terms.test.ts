import { declareErrors } from '@svc/contract'
import t from 'tap'
import { holderOf, readProxyPowers } from '../src/index.ts'

const { badGateway } = declareErrors({ UPSTREAM_ERROR: [502, 'The endpoint says what cannot be.'] })
const ADDRESS = '0x8498312a6b3cbd158bf0c93abdcf29e6e4f55081'
const word = (address: string) => `0x${address.slice(2).padStart(64, '0')}`

/** A client of which each storage slot holds the next of the answers. */
function clientOf(...answers: readonly unknown[]) {
  const calls: unknown[] = []
  const ask = async (method: string, params: readonly unknown[], read: (answer: unknown) => unknown) => {
    calls.push([method, ...params])
    const answer = answers[calls.length - 1]
    if (answer instanceof Error) throw answer
    return read(answer)
  }
  return { client: { ask } as never, calls }
}

t.test('a proxy is known by its slots', async (t) => {
  const { client, calls } = clientOf(word(ADDRESS), word('0x'))
  t.same(await readProxyPowers(client, '0xabc'), { implementation: '0x8498312A6B3CbD158bf0c93AbdCF29E6e4F55081', proxy_admin: null })
  t.same(calls, [
    ['eth_getStorageAt', '0xabc', '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc', 'latest'],
    ['eth_getStorageAt', '0xabc', '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103', 'latest'],
  ])
})

t.test('a node that serves no storage leaves it out, and a word in which no address stands is refused', async (t) => {
  t.same(await readProxyPowers(clientOf(badGateway('UPSTREAM_ERROR', 'No.'), word(ADDRESS)).client, '0xabc'), {})
  for (const answer of ['0x', '0x01', `0x1${word(ADDRESS).slice(3)}`, null, 7])
    await t.rejects(readProxyPowers(clientOf(answer, word(ADDRESS)).client, '0xabc'), String(answer))
})

t.test('a holder is an address with its checksum, and nobody has the zero address', async (t) => {
  t.equal(holderOf(ADDRESS), '0x8498312A6B3CbD158bf0c93AbdCF29E6e4F55081')
  t.equal(holderOf(`0x${'0'.repeat(40)}`), null)
})
