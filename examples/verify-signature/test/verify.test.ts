import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { startLiar } from '@svc/testing/liar'
import { root, run, runExample, runExampleShared, temporaryFolder } from '@svc/testing/processes'
import { sharedServer } from '@svc/testing/shared-server'
import t from 'tap'

const program = 'verify-signature/src/main.ts'
const script = join(root, 'examples/verify-signature/verify.sh')

/** The script is for machines that have both; where tests run in CI, they must. */
const missing = ['curl', 'openssl'].filter((name) => spawnSync(name, ['--version']).error)
const skip = missing.length > 0 && !process.env.CI ? `this machine has no ${missing.join(' and no ')}` : false

t.test('without a sandbox both programs say how to start one', async (t) => {
  const env = { SVC_DATA: await temporaryFolder(t) }
  for (const { code, out, err } of [await runExampleShared(program, env), await run('sh', [script], { env })]) {
    t.equal(code, 1)
    t.equal(out, '')
    t.match(err, /^No sandbox is running: run `npm start` .*\n$/)
  }
})

t.test('with a running sandbox', async (t) => {
  const { dataDir, file } = await sharedServer(t)
  const env = { SVC_DATA: dataDir }

  await t.test('the program accepts the answer as it came and refuses a changed one', async (t) => {
    const { code, out, err } = await runExample(program, env)
    t.same({ code, err }, { code: 0, err: '' })
    t.equal(out, 'the answer as it came: signed by the operator\nwith one bit changed:  refused\n')
  })

  await t.test('the script does the same with curl and openssl', { skip }, async (t) => {
    const { code, out, err } = await run('sh', [script], { env })
    t.same({ code, err }, { code: 0, err: '' })
    t.match(out, /^the answer as it came:\nVerified OK\nwith one byte more:\nVerification [Ff]ailure\n$/)
  })

  await t.test('an answer changed on its way fails in both', { skip }, async (t) => {
    const change = (path: string, body: string) => (path.endsWith('/health') ? body.replace('ok', 'OK') : body)
    const liar = await startLiar(t, file.baseUrl, change, { signs: false })
    const program1 = await runExampleShared(program, {}, [liar.url])
    t.equal(program1.code, 1)
    t.match(program1.out, 'the answer as it came: NOT signed by the operator')
    const script1 = await run('sh', [script, liar.url])
    t.not(script1.code, 0)
    t.match(script1.out, /Verification [Ff]ailure/)
  })
})
