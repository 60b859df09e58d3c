import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { config, folder, localChain, svc, writeConfig } from './cli-process.ts'

const chain = await localChain()
t.teardown(() => chain.close())
const host = new URL(chain.rpcUrl).host

t.test('a check says by how many endpoints a network is read, and what came of it where the service runs', async (t) => {
  const cwd = await folder(t)
  const counters = createServer((_request, response) => {
    response.end(
      [
        '# HELP svc_upstream_hedges_total Readings',
        'svc_upstream_hedges_total{upstream="evm-three 143 rpc",outcome="won"} 9',
        'svc_upstream_hedges_total{upstream="evm-three 143 rpc",outcome="lost"} 3',
        'svc_upstream_hedges_total{upstream="evm-three 143 rpc",outcome="denied"} 1',
        'svc_upstream_hedges_total{upstream="evm-two 1672 rpc",outcome="won"} 70',
        'svc_upstream_disagreements_total{upstream="evm-three 143 rpc",member="nonce",end="refused"} 2',
        'svc_upstream_disagreements_total{upstream="evm-three 143 rpc",member="nonce",end="settled"} 5',
        'svc_upstream_disagreements_total{upstream="evm-three 143 rpc",member="fee level",end="settled"} 1',
        'svc_other_total{upstream="evm-three 143 rpc",outcome="won"} 100',
      ].join('\n'),
    )
  })
  await new Promise<void>((resolve) => counters.listen(0, '127.0.0.1', resolve))
  t.teardown(() => counters.close())
  const { port } = counters.address() as AddressInfo
  const twice = [chain.rpcUrl, chain.rpcUrl]
  const checked = async (rpc: readonly string[], settings: object, over: object = {}) => {
    await writeConfig(cwd, config(rpc, { ...chain.settings, ...settings }, over))
    return svc(['check'], { cwd })
  }
  const row = (words: string) => new RegExp(`^Readings\\n.*AGREEMENT +HEDGES.*\\n {2}evm-three/native +143 +${words}$`, 'm')

  const counted = await checked(twice, {}, { metrics: { port } })
  t.match(counted.stdout, row('1 of 2 +yes +12 hedges, 9 won, 1 denied; disagreements: nonce 7, fee level 1'))
  t.match((await checked(twice, { hedge: false })).stdout, row('1 of 2 +-'))
  t.match((await checked(twice.slice(1), {})).stdout, row('1 of 1 +-'))

  const agreed = await checked(twice, { agreement: 2 }, { metrics: { port: 1 } })
  t.equal(agreed.code, 0)
  t.match(agreed.stdout, row('2 of 2 +-'))
  const operator = host.replace(/:\d+$/, '').replaceAll('.', '\\.')
  t.match(agreed.stdout, new RegExp(`warnings:\\n[^]*agreement is 2, and all of endpoints\\.rpc are of ${operator}: `))

  const alone = await checked(twice.slice(1), { agreement: 2 })
  t.equal(alone.code, 1)
  t.match(alone.stderr, /agreement is 2, and endpoints\.rpc names one endpoint; name another one, of another operator\./)
})
