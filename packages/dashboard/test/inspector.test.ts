import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findIntents, inspectorFile } from '@svc/core/operate'
import t from 'tap'
import { browserOfAll, lacking } from './support/chromium.ts'
import { recorded } from './support/crafts.ts'
import { ALARMS, cut, inaccessible, signIn, visit } from './support/page.ts'
import { root, service } from './support/service.ts'

const TRUST = fileURLToPath(new URL('./inspector/trust.recorded.json', import.meta.url))
const BUILT = new URL('../dist/inspector.html', import.meta.url)
const exchange = (plugin: string, action: string) => {
  const found = recorded.find((each) => each.plugin === plugin)?.exchanges[action]
  if (!found) throw new Error(`${action} of ${plugin} is not recorded`)
  return found
}
const delegate = (exchange('evm-three', 'delegate').response as { readonly serialized_tx_hex: string }).serialized_tx_hex
/** The same for validator 13, on two lines, as a mail would have it. */
const swapped = `  ${delegate.slice(0, 60)}\n${delegate.slice(60).replace(/0c818f8080$/, '0d818f8080')} `

t.test('the Inspector in a browser', { skip: lacking }, async (t) => {
  const { scripts, faults } = await findIntents([root])
  t.same(faults, [], 'every plugin of this repository has its intent')
  const file = inspectorFile(readFileSync(BUILT, 'utf8'), scripts)
  const folder = mkdtempSync(join(tmpdir(), 'svc-inspector-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'inspector.html'), file)
  const [browser, { dashboard, customer }] = await Promise.all([browserOfAll(), service(t)])

  await t.test('is there when the service is not, and what was not loaded yet is never called updated', (t) =>
    visit(t, browser, async (page) => {
      // One part after the other: this is the one that follows the Inspector.
      const loaded = page.waitForResponse((response) => /webhooks-page[^/]*\.js$/.test(response.url()))
      await signIn(page, `${dashboard}session`, customer)
      await (await loaded).finished()
      await page.context().setOffline(true)
      await page.getByRole('link', { name: 'Inspector' }).click()
      await page.getByText('Nothing to read yet').waitFor()
      await page.context().setOffline(false)

      await page.route(/inspector-page[^/]*\.js$/, (route) => route.abort('connectionrefused'))
      await page.route(/\/dashboard\/$/, (route) => route.abort('connectionrefused'))
      await signIn(page, `${dashboard}session`, customer)
      await page.getByRole('link', { name: 'Inspector' }).click()
      await page.getByText('The service cannot be reached').waitFor()
      t.equal(await page.getByText('was updated').count(), 0)
      t.equal(await page.getByRole('button', { name: 'Reload' }).count(), 0, 'a reload would lose the page')
      await page.unroute(/\/dashboard\/$/)
      await page.route(/\/dashboard\/$/, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<script type="module" crossorigin src="./assets/another.js"></script>' }),
      )
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('The service was updated since').waitFor()
      t.equal(await page.getByRole('button', { name: 'Reload' }).count(), 2)
      t.same(await inaccessible(page), [])
    }),
  )

  await t.test('reads, compares and is saved on plain http, by keyboard, without asking anybody', (t) =>
    visit(
      t,
      browser,
      async (page) => {
        const asked: string[] = []
        page.on('request', (request) => asked.push(new URL(request.url()).pathname))
        await signIn(page, dashboard, customer)
        await page.keyboard.press('g')
        await page.keyboard.press('i')
        await page.getByText('Nothing to read yet').waitFor()
        await page.getByText('This page came over plain http').waitFor()
        t.same(await inaccessible(page), [])
        const before = asked.length
        const field = page.getByLabel('Bytes, or a whole answer')
        await field.focus()
        await page.keyboard.insertText(swapped)
        await page
          .getByText(/^Delegate 25\.5 MON to validator 13 through 0x0+1000 on eip155:143; fee at most/)
          .first()
          .waitFor()
        await page.getByText('Compared with nothing that was agreed').waitFor()
        await page.locator('input[type=file]').first().setInputFiles(TRUST)
        await page.getByText("Number of the operator's validator: not the agreed one.").waitFor()
        t.match(await page.locator('.sides').textContent(), 'Agreed12In the transaction13')
        await page.getByText('3 terms agree').waitFor()
        t.same(await inaccessible(page), [])
        t.same(await cut(page), [])
        await page.getByText('What was asked for').focus()
        await page.keyboard.press('Enter')
        await page.getByLabel('Body of the request').fill('{"address": "0x90F79bf6EB2c4f870365E785982E1f101E93b906", "amount": 2.55}')
        await page.getByText('What is sent along with call 1', { exact: false }).first().waitFor()
        t.match(await page.locator('.sides').last().textContent(), 'Asked for2.55 MONIn the transaction25.5 MON')
        await page.getByLabel('Body of the request').fill('{')
        await page.getByText('This is no JSON object, or has a member twice.', { exact: false }).waitFor()
        await field.fill('deadbeef')
        await page.getByText('This is no transaction of any of the 4 families.').first().waitFor()
        t.same(await inaccessible(page), [])
        t.same(
          // The code of other pages is loaded in the background, and the frame asks for alarms.
          asked.slice(before).filter((path) => !path.includes('/assets/') && !ALARMS.includes(path)),
          [],
          'nobody was asked anything',
        )

        const download = page.waitForEvent('download')
        await page.getByRole('button', { name: 'Save for an offline machine' }).press('Enter')
        const saved = readFileSync(await (await download).path())
        t.equal(saved.toString(), file, 'the file that svc inspector prints')
        await page.getByRole('button', { name: createHash('sha256').update(saved).digest('hex') }).waitFor()
        await page.route('**/inspector.html', (route) => route.abort('connectionrefused'))
        await page.getByRole('button', { name: 'Save for an offline machine' }).click()
        await page.getByText('The service cannot be reached;').waitFor()

        await page.setViewportSize({ width: 390, height: 844 })
        for (const [plugin, action] of [
          ['svm-native', 'stake'],
          ['move-native', 'prepare'],
          ['hub-one', 'stake'],
        ] as const) {
          const { request, response } = exchange(plugin, action)
          await field.fill(JSON.stringify(action === 'prepare' ? request : response))
          await page
            .getByText(/ on (solana|sui|cosmos):/)
            .first()
            .waitFor()
          t.same(await cut(page), [], `${plugin} on a phone`)
        }
        await page.getByLabel('Account number').fill('18')
        await page.getByText('Hash to be signed').waitFor()
        t.same(await inaccessible(page), [])

        const { request = {}, response } = exchange('evm-vault', 'stake')
        await field.fill(JSON.stringify(response))
        await page
          .getByText(`It is for ${String(request.address).toLowerCase()}: is that you?`)
          .first()
          .waitFor()
        t.equal(await page.getByText('Nothing unusual').count(), 0, 'nothing is in order before that is said')
        t.same([await inaccessible(page), await cut(page)], [[], []])
        await page.getByLabel('Your address').fill(String(request.address))
        await page.getByText('Nothing unusual').waitFor()
        await page.getByLabel('Your address').fill(`0x${'7e'.repeat(20)}`)
        await page.getByText('and not for you', { exact: false }).first().waitFor()
        t.equal(await page.getByText('Nothing unusual').count(), 0)
      },
      { acceptDownloads: true },
    ),
  )

  await t.test('works as a file, offline and without WebCrypto', (t) =>
    visit(t, browser, async (page) => {
      await page.context().setOffline(true)
      // As on plain http.
      await page.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined }))
      await page.goto(pathToFileURL(join(folder, 'inspector.html')).href)
      const field = page.getByLabel('Bytes, or a whole answer')
      await page.getByText('Any transaction of').waitFor()
      t.match(await page.getByText('Any transaction of').textContent(), /EVM.*Solana.*, unsigned or signed/)
      await field.fill(delegate)
      await page
        .getByText(/^Delegate 25\.5 MON to validator 12/)
        .first()
        .waitFor()
      const { signed_tx_hex: signed } = exchange('svm-native', 'prepare').response as { readonly signed_tx_hex: string }
      await field.fill(signed)
      await page.getByText('signed, rightly').waitFor()
      await field.fill(`${signed.slice(0, 20)}${signed[20] === '0' ? '1' : '0'}${signed.slice(21)}`)
      await page.getByText('A signature is wrong.').waitFor()
      t.same(await inaccessible(page), [])
    }),
  )
})
