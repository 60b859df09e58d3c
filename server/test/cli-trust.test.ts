import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { config, folder, localChain, svc, writeConfig } from './cli-process.ts'

const require = createRequire(import.meta.url)
const { Ajv2020 } = require('ajv/dist/2020.js')
const addFormats = require('ajv-formats').default
const chain = await localChain()
t.teardown(() => chain.close())

const accounts = {
  acme: { name: 'Acme', plugins: { '@svc/plugin-evm-three': { networks: { '143': { validator_id: 7 } } } } },
  zenith: { name: 'Zenith' },
  none: { name: 'None', plugins: {} },
}

t.test('a customer gets keys and terms, and is told what has changed since', async (t) => {
  const cwd = await folder(t)
  await writeConfig(cwd, config([chain.rpcUrl], chain.settings, { accounts }))
  const args = ['trust', '--url', 'https://staking.example', '--account']

  const printed = await svc([...args, 'acme'], { cwd })
  t.equal(printed.code, 0, printed.stderr)
  const trust = JSON.parse(printed.stdout)
  const schema = JSON.parse(await readFile(new URL(import.meta.resolve('@svc/client/trust.schema.json')), 'utf8'))
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true })
  addFormats(ajv)
  t.ok(ajv.validate(schema, trust), JSON.stringify(ajv.errors))
  t.match(trust, { version: 1, baseUrl: 'https://staking.example', account: 'acme' })
  t.same(
    trust.keys.map(({ kty }: { kty: string }) => kty),
    ['OKP', 'RSA'],
  )
  t.same(trust.protocols, [
    {
      path: '/evm-three/native',
      networks: [
        {
          default: true,
          terms: {
            chainId: '143',
            caip2: 'eip155:143',
            decimals: 18,
            symbol: 'MON',
            max_fee: '1',
            max_gas_limit: 650_000,
            gas_limit_percent: 100,
            staking: '0x0000000000000000000000000000000000001000',
            validator_id: 7,
          },
        },
      ],
    },
  ])
  t.same(JSON.parse((await svc([...args, 'none'], { cwd })).stdout).protocols, [], 'nothing for who may use nothing')

  const file = join(cwd, 'acme.trust.json')
  await writeFile(file, printed.stdout)
  const same = await svc([...args, 'acme', '--diff', file], { cwd })
  t.equal(same.stdout, 'Nothing has changed.\n')
  t.equal(same.code, 0)
  const changed = {
    acme: { name: 'Acme', plugins: { '@svc/plugin-evm-three': { networks: { '143': { validator_id: 8, max_fee: '2' } } } } },
  }
  await writeConfig(cwd, config([chain.rpcUrl], chain.settings, { accounts: changed }))
  const other = await svc([...args, 'acme', '--diff', file], { cwd })
  t.equal(other.code, 1)
  t.same(other.stdout.trim().split('\n').sort(), [
    '- /evm-three/native on 143: max_fee was "1" and is "2".',
    '- /evm-three/native on 143: validator_id was 7 and is 8.',
  ])
})

t.test('what cannot be is said in a sentence', async (t) => {
  const cwd = await folder(t)
  await writeConfig(cwd, config([chain.rpcUrl], chain.settings, { accounts }))
  const unknown = await svc(['trust', '--account', 'nobody'], { cwd })
  t.match(unknown.stderr, 'There is no account nobody; the config has acme, zenith, none.')
  t.equal(unknown.code, 1)
  await writeFile(join(cwd, 'no.json'), '{}')
  const diff = await svc(['trust', '--account', 'acme', '--diff', 'no.json'], { cwd })
  t.match(diff.stderr, 'no.json is no trust document of version 1.')
  const diffOf = async (text: string) => {
    await writeFile(join(cwd, 'no.json'), text)
    const { code, stderr } = await svc(['trust', '--account', 'acme', '--diff', 'no.json'], { cwd })
    t.equal(code, 1)
    return stderr
  }
  t.match(
    await diffOf('{"version":1,"keys":[],"protocols":[],"prot\\u006fcols":[]}'),
    /^svc: no\.json says two things: the member "prot\\u006fcols" stands twice in one object\. Every reader takes another of the two\.$/m,
  )
  for (const text of [
    '[',
    'null',
    '{"version":1,"keys":[{}],"protocols":[]}',
    '{"version":1,"keys":[],"protocols":[{"path":"/x","networks":[{}]}]}',
  ])
    t.match(await diffOf(text), /no\.json is no trust document of version 1\.$/m, text)
  t.equal(diff.code, 1)
})
