import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { configProblems, createSigner, generateResponseKey, inspectState, loadSecrets, parseConfig } from '../src/index.ts'
import { input } from './support/serve.ts'

const [one, two] = await Promise.all([generateResponseKey(), generateResponseKey()])
const idOf = async (key: string) => {
  const { signingKeys } = await loadSecrets({}, t.testdir())
  return createSigner({ privateKeyPem: signingKeys[0], responseKeys: [{ key, state: 'active' }] }).responses.keyId
}
const [idOne, idTwo] = [await idOf(one), await idOf(two)]
const stateOf = async (over: object, dataDir: string) =>
  (await inspectState(parseConfig({ ...input, ...over }, {}), dataDir, [])).find(({ part }) => part === 'response keys')

t.test('without response_keys one is made once, for its owner alone, and svc check names it', async (t) => {
  const dataDir = t.testdir()
  t.match(await stateOf({}, dataDir), { problem: false, text: /^none yet; the first start makes .*response-key\.pem$/ })
  const made = await loadSecrets({}, dataDir)
  t.match(made.responseKeys, [{ key: /^-----BEGIN PRIVATE KEY-----/, state: 'active' }])
  const file = join(dataDir, 'response-key.pem')
  t.ok(made.generated.includes(file))
  t.equal((await stat(file)).mode & 0o777, 0o600)
  const again = await loadSecrets({}, dataDir)
  t.same([again.responseKeys, again.generated], [made.responseKeys, []])
  const text = new RegExp(`^Ed25519 ${await idOf(made.responseKeys[0]?.key ?? '')} active, from .*response-key\\.pem$`)
  t.match(await stateOf({}, dataDir), { problem: false, text })
})

t.test('with a shared database it has to be given', async (t) => {
  const shared = { database_url: 'postgres://nobody@127.0.0.1:9/none', signing_key: 'given', peppers: ['p'.repeat(32)] }
  const message = /^response_keys is missing: with a shared database every replica needs the same one\. Set it in the config/
  await t.rejects(loadSecrets(shared, t.testdir()), { name: 'SettingsError', message })
  t.match(await stateOf(shared, t.testdir()), { problem: true, text: message })
})

t.test('keys stand in the config or in files of the data folder, and svc check shows each with its state', async (t) => {
  const dataDir = t.testdir()
  await writeFile(join(dataDir, 'response-key.pem'), one)
  const response_keys = [
    { key: two, state: 'active' },
    { file: 'response-key.pem', state: 'retired' },
  ]
  t.same(await stateOf({ response_keys }, dataDir), {
    part: 'response keys',
    text: `Ed25519 ${idTwo} active, ${idOne} retired, from the config`,
    problem: false,
    warning: null,
  })
  const { responseKeys, generated } = await loadSecrets(parseConfig({ ...input, response_keys }, {}), dataDir)
  t.same(
    responseKeys.map(({ key, state }) => [key.trim(), state]),
    [
      [two.trim(), 'active'],
      [one.trim(), 'retired'],
    ],
  )
  t.notOk(generated.some((file) => file.endsWith('response-key.pem')))
  const missing = { response_keys: [{ file: 'nowhere.pem', state: 'active' }] }
  t.match(await stateOf(missing, dataDir), { problem: true, text: /^response_keys\.0: there is no file .*nowhere\.pem\.$/ })
  t.match(await stateOf({ response_keys: [{ key: 'a secret that is no key', state: 'active' }] }, dataDir), {
    problem: true,
    text: /^(?!.*a secret)response_keys\.0 cannot be read as a seed of 32 bytes or as a private key in PEM/,
  })
})

t.test('a list that cannot work is refused with a sentence, without the key', (t) => {
  const problems = (response_keys: readonly object[]) => configProblems({ ...input, response_keys }, {}).join('\n')
  t.equal(
    problems([
      { key: one, state: 'active' },
      { file: 'x.pem', state: 'next' },
    ]),
    '',
  )
  t.equal(problems([{ key: one, state: 'next' }]), 'response_keys: exactly one key has to be active, not 0.')
  t.equal(
    problems([
      { key: one, state: 'active' },
      { key: two, state: 'active' },
    ]),
    'response_keys: exactly one key has to be active, not 2.',
  )
  t.equal(problems([{ state: 'active' }]), 'response_keys.0 has to have either key or file.')
  t.equal(problems([{ key: one, file: 'x.pem', state: 'active' }]), 'response_keys.0 has to have either key or file.')
  t.match(problems([{ key: one, state: 'old' }]), /^response_keys\.0\.state: /)
  t.match(problems([{ key: 7, state: 'active' }]), /^response_keys\.0\.key: must be string\.$/)
  t.match(problems([]), /^response_keys: /)
  t.notMatch(problems([{ key: one, state: 'old' }]), 'PRIVATE')
  t.end()
})
