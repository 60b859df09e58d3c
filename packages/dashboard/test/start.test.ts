import t from 'tap'
import { browserOfAll, lacking } from './support/chromium.ts'
import { answer, cut, inaccessible, refusal, visit } from './support/page.ts'
import { sandbox } from './support/sandbox.ts'

t.test('a first stake in a browser', { skip: lacking }, async (t) => {
  const [browser, { dashboard, printed }] = await Promise.all([browserOfAll(), sandbox(t)])
  t.match(printed, /^The|is running/, 'it started')
  t.match(
    printed.slice(printed.indexOf('is running')),
    /^is running -+\n\nDashboard +http:\/\/127/,
    'the address of the dashboard comes first',
  )

  await t.test('is made by keyboard alone, from the sandbox’s token to an active stake', (t) =>
    visit(t, browser, async (page) => {
      const focus = () => page.evaluate(() => document.activeElement?.textContent ?? '')
      const press = async (key: string, name: string) => {
        await page.getByRole('button', { name, exact: true }).focus()
        await page.keyboard.press(key)
      }
      await page.goto(dashboard)
      const use = page.getByRole('button', { name: 'Use the sandbox’s token' })
      await use.waitFor()
      t.same(await inaccessible(page), [])
      await use.focus()
      await page.keyboard.press('Enter')
      const amount = page.getByLabel('Amount in MON')
      await amount.waitFor()
      await page.waitForFunction(() => document.activeElement?.textContent === 'A first stake')
      t.match(await page.title(), /^First stake/, 'it is what a sandbox opens with')
      t.same(await inaccessible(page), [])

      await amount.fill('1,000')
      await amount.press('Enter')
      await page.getByText('Write it as a decimal number').waitFor()
      await amount.fill('25.000000000000000001')
      await amount.press('Enter')
      await page.getByText(/^Delegate 25\.000000000000000001 MON to validator 12 through/).waitFor()
      await page.waitForFunction(() => document.activeElement?.textContent === 'Sign with the demo wallet')
      t.pass('the next button has the focus')
      await page.keyboard.press('Enter')
      await page.getByText('The signature was read back').waitFor()
      await page.waitForFunction(() => document.activeElement?.textContent === 'Prepare and broadcast')
      await page.keyboard.press('Enter')
      await page.getByText('25.000000000000000001 MON wait to become active.').waitFor()
      t.equal(await focus(), 'One epoch on')
      await page.getByText(/^The transaction is (included|final), proven, in block \d+/).waitFor()
      t.match(await page.getByRole('link', { name: 'See its timeline' }).getAttribute('href'), /\/transactions\/0x[0-9a-f]{64}$/)
      await page.keyboard.press('Enter')
      await page.getByText('are staked and active: 25.000000000000000001 MON in all.').waitFor()
      const calls = page.getByText('What was sent, as curl')
      for (const each of await calls.all()) await each.click()
      await page.getByText(/^curl -s http:.*\/action\/prepare/).waitFor()
      t.same(await inaccessible(page), [])

      for (const title of ['Somebody between', 'Yesterday’s answer', 'A thief owns', 'The operator stakes', 'The custodian signs']) {
        await page.getByRole('button', { name: `Try ${title}` }).focus()
        await page.keyboard.press('Enter')
        const item = page.getByRole('listitem').filter({ hasText: title })
        await item.getByText('Refused in this page.').waitFor()
      }
      await page.getByText(/calls\[0\]\.target should be 0x0+1001 and is 0x0+1000/).waitFor()

      await page.keyboard.press('g')
      await page.keyboard.press('s')
      await page.getByText('Operator token: sees every account').waitFor()
      await page.keyboard.press('g')
      await page.keyboard.press('f')
      await page.getByText('are staked and active').waitFor()
      t.pass('the stake waits while another page is looked at')
      await press('Enter', 'Stake again')
      await page.getByLabel('It breaks the connection').check()
      await page.getByText('A fault is switched on for this chain: it breaks the connection.').waitFor()
      await press('Enter', 'Ask for a transaction')
      await page.getByRole('alert').filter({ hasText: 'UPSTREAM' }).waitFor()
      await page.getByLabel('Nothing: it answers').check()
      await page.getByText('Everything works.').waitFor()
      await press('Enter', 'A day on')
      await page.setViewportSize({ width: 390, height: 844 })
      t.same(await cut(page), [])
      t.same(await inaccessible(page), [])
    }),
  )

  await t.test('keeps the hash of a broadcast whose answer has another shape', (t) =>
    visit(t, browser, async (page) => {
      await page.addInitScript(() => {
        const calls = new Set<number>()
        const { postMessage, addEventListener } = Worker.prototype
        Worker.prototype.postMessage = function (this: Worker, message: { readonly id: number; readonly call?: string }) {
          if (message.call === 'send') calls.add(message.id)
          postMessage.call(this, message)
        }
        Worker.prototype.addEventListener = function (this: Worker, type: string, listener: (event: unknown) => void) {
          const changed = ({ data }: MessageEvent<{ readonly id: number }>) =>
            listener({ data: calls.has(data.id) && 'value' in data ? { id: data.id, value: 7 } : data })
          addEventListener.call(this, type, type === 'message' ? (changed as EventListener) : listener)
        } as typeof addEventListener
      })
      await page.goto(dashboard)
      await page.getByRole('button', { name: 'Use the sandbox’s token' }).click()
      await page.getByRole('button', { name: 'Ask for a transaction' }).click()
      await page.getByRole('button', { name: 'Sign with the demo wallet' }).click()
      await page.getByRole('button', { name: 'Prepare and broadcast' }).click()
      await page
        .getByRole('alert')
        .filter({ hasText: /The transaction 0x[0-9a-f]{64} may have been sent: look it up/ })
        .waitFor()
      await page.getByRole('button', { name: 'Read it again' }).click()
      await page.getByRole('link', { name: 'See its timeline' }).waitFor()
      t.equal(await page.getByRole('button', { name: 'Prepare and broadcast' }).count(), 0, 'it cannot be sent twice')
      t.match(await page.getByRole('link', { name: 'See it in Activity' }).getAttribute('href'), /q=0x[0-9a-f]{64}$/)
    }),
  )

  await t.test('says what it lacks', (t) =>
    visit(t, browser, async (page) => {
      await answer(page, 'sandbox', refusal(500, 'SANDBOX_FAILED', 'The engine of evm:143 ended.'))
      await page.goto(dashboard)
      await page.getByRole('button', { name: 'Use the sandbox’s token' }).click()
      await page.getByText('The engine of evm:143 ended.').waitFor()
      t.same(await inaccessible(page), [])
      await page.unroute('**/api/v1/sandbox')
      await answer(page, 'protocols?*', { body: [] })
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('This sandbox has no protocol that this page can check').waitFor()
    }),
  )
})
