import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { base58 } from '@scure/base'
import type { TrustDocument } from '@svc/client'
import { run } from '@svc/testing/processes'
import { build } from 'esbuild'
import { Wallet as EthersWallet } from 'ethers'
import t, { type Test } from 'tap'
import { sandbox } from '../support/service.ts'
import type { StakeInput, StakeResult } from '../support/stake.ts'
import { trust } from '../support/trust.ts'

const pinned: TrustDocument = await trust()

const node20 = found(['node'], 'SVC_NODE_20', (version) => version.startsWith('v20.'))
t.test(
  "the client works on Node 20, which keeps no number's text",
  { skip: node20.missing && 'this machine has no Node 20' },
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-runtime-'))
    t.teardown(() => rm(folder, { recursive: true, force: true }))
    const { given, judge } = await story()
    const file = join(folder, 'stake.cjs')
    await writeFile(file, `${await bundle()}\nprogram.stake(${JSON.stringify(given)}).then((found) => console.log(JSON.stringify(found)))`)
    const { code, out, err } = await run(node20.path, [file])
    t.equal(code, 0, err)
    judge(t, JSON.parse(out))
  },
)

const chromium = found(
  ['chromium-headless-shell', 'chrome-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
  'SVC_CHROMIUM',
  () => true,
)
// Where everything must hold, a browser that is missing is no reason to skip.
const mayLack = process.env.CI === undefined && process.env.SVC_CHROMIUM === undefined
t.test('the client works in a browser', { skip: chromium.missing && mayLack && 'this machine has no Chromium' }, async (t) => {
  if (chromium.missing) return void t.fail('no Chromium runs here: install one, or name one that runs in SVC_CHROMIUM')
  const { given, judge } = await story()
  const script = `${await bundle()}
    program.stake(${JSON.stringify(given)}).then(JSON.stringify, (error) => JSON.stringify({ error: String(error) }))
      .then((body) => fetch('/', { method: 'POST', body }))`
  const page = `<!doctype html><script>${script.replaceAll('</script', '<\\/script')}</script>`
  const found = Promise.withResolvers<StakeResult>()
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    found.resolve(JSON.parse(Buffer.concat(chunks).toString()))
    return response.end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const profile = await mkdtemp(join(tmpdir(), 'svc-chromium-'))
  // The page and the service are of different origins, which an operator decides upon with his own gateway: not what is tried here.
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-web-security', `--user-data-dir=${profile}`]
  const browser = spawn(chromium.path, [...flags, '--remote-debugging-port=0', `http://127.0.0.1:${port}/`], {
    stdio: 'ignore',
    detached: true,
  })
  const ended = new Promise<void>((done) => browser.once('close', () => done()))
  t.teardown(async () => {
    // Debian's command is a script that waits for the browser: both end, as a group of their own.
    if (browser.pid !== undefined && browser.exitCode === null) process.kill(-browser.pid)
    await ended
    server.closeAllConnections()
    server.close()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  })
  browser.once('error', found.reject)
  browser.once('close', (code) => found.reject(new Error(`the browser ended with ${code}`)))
  judge(t, await found.promise)
})

/** What a program is given, and what it must find: with a wallet of its own, since both runtimes stake. */
async function story(): Promise<{ given: StakeInput; judge(t: Test, found: StakeResult): void }> {
  const { address, privateKey } = EthersWallet.createRandom()
  const chain = `${sandbox.controlUrl}/chains/evm/143/fund`
  await fetch(chain, { method: 'POST', body: JSON.stringify({ address, amount: '1000' }) })
  const [{ address: wallet, secretKey }] = sandbox.wallets.svm as [{ address: string; secretKey: string }]
  const protocols = pinned.protocols.map(({ path, networks }) => ({
    path,
    networks: networks.map(({ terms, ...network }) => ({
      ...network,
      terms: 'validator_id' in terms ? { ...terms, validator_id: 13 } : terms,
    })),
  }))
  const given = {
    trust: pinned,
    elsewhere: { ...pinned, protocols },
    apiKey: sandbox.apiKey,
    evm: { address, privateKey },
    svm: { address: wallet, secretKey: [...base58.decode(secretKey)] },
  }
  return {
    given,
    judge(t, found) {
      t.match(found, {
        monad: {
          sentence: /^Delegate 100\.000000000000000001 MON to validator 12 /,
          sent: true,
          activating: '100.000000000000000001',
        },
        solana: { sentence: /1\.50228288 SOL of F8x8/, sent: true },
        refused: 'The transaction is not what was asked for, so it cannot be signed: calls[0].args.validator should be 13 and is 12.',
      })
      t.same(found.solana.assumed, ['network', 'blockhash', 'unitLimit', 'fee', 'rent', 'account'])
    },
  }
}

/** The program as one script for any runtime, under the name `program`. */
async function bundle(): Promise<string> {
  const {
    outputFiles: [script],
  } = await build({
    entryPoints: [fileURLToPath(new URL('../support/stake.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'program',
    platform: 'browser',
    target: 'es2022',
    conditions: ['@svc/source'],
    logLevel: 'error',
  })
  if (!script) throw new Error('nothing was bundled')
  return script.text
}

/** A program of this machine, by its names or by a variable, whose `--version` suits. */
function found(names: readonly string[], variable: string, suits: (version: string) => boolean): { path: string; missing: boolean } {
  const folders = (process.env.PATH ?? '').split(delimiter).concat('/usr/bin', '/usr/local/bin')
  const named = process.env[variable]
  const candidates = named ? [named] : names.flatMap((name) => folders.map((folder) => join(folder, name)))
  const path = candidates.find((each) => {
    const { status, stdout } = spawnSync(each, ['--version'], { encoding: 'utf8' })
    return status === 0 && suits(stdout)
  })
  return path === undefined ? { path: '', missing: true } : { path, missing: false }
}
