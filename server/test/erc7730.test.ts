import { readFile } from 'node:fs/promises'
import { explain } from '@svc/verify/intent'
import { Interface, id, Transaction } from 'ethers'
import t from 'tap'
import { type Descriptor, descriptorOf, type Format } from './erc7730/descriptor.ts'
import { fileOf } from './erc7730/file.ts'
import { render } from './erc7730/render.ts'
import { problemsOf } from './erc7730/rules.ts'
import { type Source, sources } from './erc7730/sources.ts'

/** Selectors by name, from the intent's own texts. */
function selectorsOf({ intent, terms }: Source): ReadonlyMap<string, string> {
  const methods = intent.layouts(terms).methods ?? []
  return new Map(
    methods.map((text) => [
      text.split('(')[0] ?? '',
      new Interface([`function ${text}`]).getFunction(text.split('(')[0] ?? '')?.selector ?? '',
    ]),
  )
}

async function readDescriptor({ label }: Source): Promise<Descriptor> {
  return JSON.parse(await readFile(fileOf(label), 'utf8'))
}

/** What our sentence says before it names the chain, and what a wallet says by the file. */
async function both(source: Source, descriptor: Descriptor, call: { to: string; value: bigint; data: string; chainId: bigint }) {
  const { intent, terms } = source
  const unsigned = Transaction.from({ type: 0, nonce: 0, gasLimit: 1, gasPrice: 1, ...call }).unsignedSerialized
  const { sentence } = await explain(intent, { ...terms, chainId: String(call.chainId) }, unsigned)
  return { ours: sentence.split(` on ${terms.caip2};`)[0], wallet: render(descriptor, call, terms.symbol) }
}

for (const source of sources) {
  const { label, contract, terms } = source
  const descriptor = await readDescriptor(source)
  const [deployment] = descriptor.context.contract.deployments

  t.test(`${label}: the file is what the intent says today, and fits the format`, async (t) => {
    t.strictSame(descriptor, descriptorOf(source))
    t.strictSame(problemsOf(descriptor, selectorsOf(source)), [])
    t.strictSame(deployment, { chainId: Number(terms.chainId), address: contract })
  })

  t.test(`${label}: every craft of the sandbox reads the same in a wallet as in our sentence`, async (t) => {
    const file = new URL(`../../plugins/${label}/src/examples.generated.json`, import.meta.url)
    const { exchanges } = JSON.parse(await readFile(file, 'utf8'))
    const crafts = Object.entries<any>(exchanges).filter(([, { response }]) => response?.payload)
    t.equal(crafts.length, Object.keys(source.intent.actions).length)
    for (const [name, { response }] of crafts) {
      const { to, value, data, chainId } = response.payload
      t.equal(BigInt(chainId), BigInt(deployment?.chainId ?? 0), name)
      t.equal(to.toLowerCase(), contract.toLowerCase(), name)
      const { ours, wallet } = await both(source, descriptor, { to, value: BigInt(value), data, chainId: BigInt(chainId) })
      t.equal(wallet?.sentence, ours, name)
      t.ok(wallet?.intent)
    }
  })

  t.test(`${label}: so does every method, whatever its arguments`, async (t) => {
    for (const [key, format] of Object.entries(descriptor.display.formats)) {
      if (format.interpolatedIntent === undefined) continue
      for (const seed of [1n, 7n, 30n]) {
        const { data, value } = callOf(key, format, seed)
        const { ours, wallet } = await both(source, descriptor, { to: contract, value, data, chainId: BigInt(terms.chainId) })
        t.equal(wallet?.sentence, ours, `${key} ${seed}`)
      }
    }
  })
}

t.test('a sum that is sent along with a call that takes none is shown', async (t) => {
  const source = sourceOf('evm-three')
  const descriptor = await readDescriptor(source)
  const data = new Interface(['function compound(uint64 validator)']).encodeFunctionData('compound', [12])
  const labels = (value: bigint) => render(descriptor, { to: source.contract, value, data }, 'MON')?.fields.map(({ label }) => label)
  t.strictSame(labels(0n), ['Validator', 'Contract'])
  t.strictSame(labels(1n), ['Validator', 'Contract', 'Sent along'])
})

t.test('several calls of the vault in one are each said', async (t) => {
  const source = sourceOf('evm-vault')
  const descriptor = await readDescriptor(source)
  const [exit = '', claim = ''] = ['enterExitQueue', 'claimExitedAssets'].map((name) => {
    const [key, format] = Object.entries(descriptor.display.formats).find(([each]) => each.startsWith(`${name}(`)) ?? []
    return key && format ? callOf(key, format, 5n).data : ''
  })
  const data = new Interface(['function multicall(bytes[] calls)']).encodeFunctionData('multicall', [[exit, claim]])
  const { ours, wallet } = await both(source, descriptor, { to: source.contract, value: 0n, data, chainId: 1n })
  t.equal(wallet?.intent, 'Several calls')
  const said = wallet?.fields.map(({ value }) => value.charAt(0).toLowerCase() + value.slice(1)).join(', then ') ?? ''
  t.equal(said.charAt(0).toUpperCase() + said.slice(1), ours)
})

t.test('the rules find what the schema of the registry lets pass', async (t) => {
  const source = sourceOf('evm-three')
  const descriptor = await readDescriptor(source)
  const UNDELEGATE = 'undelegate(uint64 validator,uint256 amount,uint8 slot)'
  const changed = (change: (format: Format) => unknown, key = UNDELEGATE) => {
    const { [UNDELEGATE]: format, ...rest } = descriptor.display.formats
    if (!format) throw new Error('there is the method')
    const formats = { ...rest, [key]: change(format) }
    return problemsOf({ ...descriptor, display: { formats } } as Descriptor, selectorsOf(source)).join('\n')
  }
  const same = (format: Format) => format
  const without = (path: string) => (format: Format) => ({ ...format, fields: format.fields.filter((each) => each.path !== path) })
  t.equal(changed(same), '')
  t.match(
    changed(same, 'undelegate(uint64 validator,uint256 amount,uint16 slot)'),
    /its selector is 0x\w+, and that of the method is 0x5cf41514/,
  )
  t.match(changed(same, 'undelegate(uint validator,uint256 amount,uint8 slot)'), /must match pattern|property name/)
  t.match(changed(same, 'undelegate(uint64 validator, uint256 amount, uint8 slot)'), /must match pattern|property name/)
  t.match(
    changed(({ intent: _, ...format }) => format),
    /required property 'intent'/,
  )
  t.match(changed(without('slot')), /\{slot\} is no field that is always visible.*the argument slot is nowhere/s)
  t.match(changed(without('@.value')), /what is sent along is nowhere/)
  t.match(
    changed((format) => ({ ...format, fields: format.fields.map((each) => ({ ...each, visible: 'optional' })) })),
    /\{amount\} is no field that is always/,
  )
  t.match(
    changed((format) => ({ ...format, fields: [...format.fields, ...format.fields] })),
    /amount is there twice/,
  )
  t.match(
    changed((format) => ({ ...format, fields: format.fields.map(({ label: _, ...each }) => each) })),
    /required property 'label'/,
  )
  t.match(
    changed((format) => ({ ...format, screens: {} })),
    /additional properties/,
  )
  t.match(
    changed((format) => ({ ...format, interpolatedIntent: 'Undelegate {amuont}' })),
    /\{amuont\} is no field/,
  )
  t.match(problemsOf({ ...descriptor, metadata: { ...descriptor.metadata, owner: '' } }, selectorsOf(source)).join(), /owner/)
})

function sourceOf(label: string): Source {
  const found = sources.find((each) => each.label === label)
  if (!found) throw new Error(`there is no ${label}`)
  return found
}

/** A call of a method with arguments that follow from a number, written by another library than the intent is read with. */
function callOf(key: string, format: Format, seed: bigint): { readonly data: string; readonly value: bigint } {
  const methods = new Interface([`function ${key}`])
  const name = key.split('(')[0] ?? ''
  const fragment = methods.getFunction(name)
  const argument = ({ type, components, baseType }: any, at: number): unknown => {
    if (baseType === 'tuple') return components.map(argument)
    if (type.endsWith('[]')) return [id(`${seed} ${at} a`), id(`${seed} ${at} b`)]
    if (type === 'address') return `0x${id(`${seed} ${at}`).slice(-40)}`
    if (type === 'bytes32') return id(`${seed} ${at}`)
    return (seed * BigInt(at + 3)) ** (type === 'uint8' ? 1n : type === 'uint64' ? 8n : 15n)
  }
  const data = methods.encodeFunctionData(name, fragment?.inputs.map(argument) ?? [])
  const pays = format.fields.some(({ path, visible }) => path === '@.value' && visible === 'always')
  return { data, value: pays ? seed * 10n ** 17n + 1n : 0n }
}
