import { readFile } from 'node:fs/promises'
import t from 'tap'
import { sandbox, service } from '../support/service.ts'

const page = await readFile(new URL('../../../docs/response-signatures.md', import.meta.url), 'utf8')
const [, example = ''] = /```js\n(.*?)```/s.exec(page) ?? []

/** Runs the page's example as it is printed, on this service; returns what it found. */
async function run(source: string): Promise<unknown> {
  const pinned = service.signer.responses.keys.map(({ jwk }) => jwk)
  const here = source
    .replace("'@svc/verify/response'", `'${import.meta.resolve('@svc/verify/response')}'`)
    .replace('https://staking.example.org', sandbox.baseUrl)
  const given = `const apiKey = ${JSON.stringify(sandbox.apiKey)}, pinned = ${JSON.stringify(pinned)}\n`
  const { verdict } = await import(`data:text/javascript,${encodeURIComponent(`${given}${here}\nexport { verdict }`)}`)
  return verdict
}

t.test('the example of the page accepts the answer of a running service', async (t) => {
  t.match(await run(example), { ok: true, keyId: service.signer.responses.keyId })
})

t.test('and throws with the reason when the answer is to another request', async (t) => {
  const changed = example.replace('verifyResponse({ request,', "verifyResponse({ request: { ...request, method: 'PUT' },")
  t.not(changed, example)
  await t.rejects(run(changed), { message: 'The signature does not fit: the answer is to another request, or was changed.' })
})
