import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findIntents, type IntentScript } from '@svc/core'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { browserOfAll, lacking } from './support/chromium.ts'
import { ALARMS, inaccessible, signIn } from './support/page.ts'
import { root, service } from './support/service.ts'

/** A script of a package of that name. */
const scriptOf = (name: string, text: string): IntentScript => ({
  package: `@evil/intent-${name}`,
  plugins: [name],
  text,
  digest: createHash('sha256').update(text).digest('base64url'),
})

/** An intent whose family reads any text, and says what it found in its realm by the notes of what it reads. */
const SPY = `var svcIntent = (() => {
  const tried = (name, work) => Promise.resolve().then(work).then((value) => name + ': ' + value, (error) => name + ': ' + error.name)
  const address = (path) => new URL(path, location.href).href
  const loads = (make) => new Promise((done) => { const it = make(); it.onopen = () => done('open'); it.onerror = () => done('refused') })
  const family = {
    name: 'spy', signer: 'who', validity: () => 'valid', isUnbound: () => true,
    inspected: { title: 'Spy', network: () => ({ name: 'Spy', terms: { chainId: 'x', caip2: 'spy:x', decimals: 0, symbol: 'SPY' }, usualFee: '1' }) },
    async explain(text) {
      const notes = await Promise.all([
        tried('fetch', () => fetch(address('/api/v1/session')).then(({ status }) => status)),
        tried('foreign', () => fetch('http://127.0.0.1:' + parseInt(text, 16)).then(({ status }) => status)),
        tried('xhr', () => new Promise((done) => { const it = new XMLHttpRequest(); it.onload = () => done('loaded'); it.onerror = () => done('refused'); it.open('GET', address('/api/v1/session')); it.send() })),
        tried('socket', () => loads(() => new WebSocket(address('/').replace('http', 'ws')))),
        tried('events', () => loads(() => new EventSource(address('/api/v1/session')))),
        tried('beacon', () => typeof navigator.sendBeacon),
        tried('script', () => importScripts('http://127.0.0.1:' + parseInt(text, 16))),
        tried('module', () => import('http://127.0.0.1:' + parseInt(text, 16))),
        tried('evaluated', () => new Function('return 1')()),
        tried('answer', () => importScripts(address('/api/v1/session'))),
        tried('peer', () => typeof RTCPeerConnection),
        tried('page', () => [typeof window, typeof document, typeof localStorage, typeof sessionStorage].join()),
      ])
      return { decoded: { chainId: null, signers: null, maxFee: 0n, calls: [], terms: {} }, form: 'unsigned', signers: [], unsigned: {}, hash: null, txHash: null, notes }
    },
    decode() { throw new Error('no') },
  }
  return { spy: { family, path: '/spy/native', actions: {}, terms: {}, layouts: () => ({}), describe: () => null } }
})();`

/** The same, but what is read never comes to an end, or is something that cannot be shown. */
const reading = (text: string) =>
  SPY.replace(/async explain\(text\) \{[\s\S]*?return \{ decoded/, `async explain(text) { ${text}; return { decoded`)

t.test('an intent in the page', { skip: lacking }, async (t) => {
  const browser = await browserOfAll()
  const { scripts } = await findIntents([root])
  const honest = scripts.filter(({ plugins }) => plugins.includes('evm-three'))
  const open = async (t: Test, intents: readonly IntentScript[], before = async (_page: Page): Promise<unknown> => undefined) => {
    const { local, customer } = await service(t, intents)
    const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
    t.teardown(() => page.context().close())
    page.setDefaultTimeout(120_000)
    await before(page)
    await signIn(page, `${local}inspector`, customer)
    return { page, field: page.getByLabel('Bytes, or a whole answer') }
  }

  await t.test('reaches nobody, and sees no token', async (t) => {
    const { page, field } = await open(t, [scriptOf('spy', SPY)])
    await page.getByText('Any transaction of Spy').waitFor()
    let reached = 0
    const foreign = createServer((_request, response) => {
      reached += 1
      response.setHeader('access-control-allow-origin', '*').end('ok')
    })
    await new Promise<void>((done) => foreign.listen(0, '127.0.0.1', done))
    t.teardown(() => foreign.close())
    const asked: string[] = []
    page.on('response', (response) => asked.push(new URL(response.url()).pathname))
    const { port } = foreign.address() as AddressInfo
    // The spy reads the port out of what it is to read.
    await field.fill(port.toString(16).padStart(8, '0'))
    await page.getByText('Do nothing on spy:x').first().waitFor()
    const notes = await page.locator('.note-box p').allTextContents()
    t.same(notes, [
      'fetch: TypeError',
      'foreign: TypeError',
      'xhr: refused',
      'socket: refused',
      'events: refused',
      'beacon: undefined',
      'script: NetworkError',
      'module: TypeError',
      'evaluated: EvalError',
      'answer: NetworkError',
      'peer: undefined',
      'page: undefined,undefined,undefined,undefined',
    ])
    t.equal(reached, 0, 'nobody else was asked')
    t.same(
      // The frame asks for the session, and for alarms.
      asked.filter((path) => !path.includes('/assets/') && !['/api/v1/session', ...ALARMS].includes(path)),
      [],
      'of the service a script may be loaded, without a credential: what is none is not run',
    )
    for (const token of await page.evaluate(() => Object.values(sessionStorage))) t.notMatch(notes.join(), token)
  })

  await t.test('that does not come to an end is stopped, and the page goes on', async (t) => {
    const { page, field } = await open(t, [...honest, scriptOf('endless', reading('for (;;);'))])
    await field.fill('abcd')
    await page.getByText('No answer came within 20 s.').first().waitFor()
    t.same(await inaccessible(page), [], 'it can be used meanwhile')
  })

  await t.test('that does not come to an end while it is loaded is left out, with its name, and so is one that throws', async (t) => {
    const { page, field } = await open(t, [
      scriptOf('loop', 'for (;;);'),
      scriptOf('throws', 'throw new Error("a fault of its own")'),
      scriptOf('empty', 'var svcIntent = {}'),
      ...honest,
    ])
    await page.getByText('@evil/intent-loop could not be loaded: No answer came within 10 s.').waitFor()
    await page.getByText('@evil/intent-throws could not be loaded:').waitFor()
    await page.getByText('@evil/intent-empty could not be loaded: It exports no intent.').waitFor()
    t.same(await inaccessible(page), [])
    await field.fill('0x03f0')
    await page.getByText('This is no transaction of the one family here.').first().waitFor()
    await page.getByText('EIP-4844').first().waitFor()
  })

  await t.test('is there as soon as the service is: what could not be loaded is loaded again', async (t) => {
    const { page } = await open(t, honest, (page) => page.route(/assets\/worker-[^/]*\.js$/, (route) => route.abort('connectionrefused')))
    await page.getByText('The part of the page that reads transactions could not be loaded').waitFor()
    t.same(await inaccessible(page), [])
    await page.unrouteAll()
    await page.route('**/dashboard/intents.json', (route) => route.abort('connectionrefused'))
    await page.getByRole('button', { name: 'Load them again' }).click()
    await page.getByText('The service cannot be reached, so that the intents').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Load them again' }).click()
    await page.getByText('Any transaction of EVM').waitFor()
    t.equal(await page.getByRole('button', { name: 'Load them again' }).count(), 0)
  })

  await t.test('that answers what cannot be shown is told so', async (t) => {
    const { page, field } = await open(t, [
      scriptOf(
        'shape',
        reading(
          "self.postMessage = ((post) => (message) => post.call(self, 'value' in message && message.value?.kind === 'read' ? { ...message, value: { kind: 'read', readings: [{ sentence: { toString: 7 } }] } } : message))(self.postMessage); const notes = []",
        ),
      ),
    ])
    await field.fill('abcd')
    await page.getByText('Do nothing on spy:x').first().waitFor()
    await field.fill('abcdef')
    await page.getByText('has changed what was read into something that it cannot be').first().waitFor()
    t.equal(await page.locator('.sentence').count(), 0, 'nothing of it is shown')
  })
})
