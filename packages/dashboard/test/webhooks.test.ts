import type { Page } from 'playwright-core'
import t from 'tap'
import { browserOfAll, lacking } from './support/chromium.ts'
import { answer, comeBack, cut, inaccessible, refusal, signIn, visit } from './support/page.ts'
import { MONAD } from './support/protocols.ts'
import { receiver } from './support/receiver.ts'
import { service } from './support/service.ts'
import { deliveryOf, webhookOf } from './support/webhooks.ts'

const NOW = new Date()
const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

t.test('webhooks in a browser', { skip: lacking }, async (t) => {
  const [browser, { dashboard, customer, operator }, target] = await Promise.all([browserOfAll(), service(t), receiver(t)])
  const name = target.url.replace('http://', '')

  await t.test('are made, tried, changed, rotated, disabled, replayed to and deleted by keyboard alone', (t) =>
    visit(t, browser, async (page) => {
      const press = async (label: string) => {
        await page.getByRole('button', { name: label, exact: true }).focus()
        await page.keyboard.press('Enter')
      }
      await signIn(page, `${dashboard}session`, customer)
      await page.keyboard.press('g')
      await page.keyboard.press('w')
      await page.getByText('No webhooks yet').waitFor()
      t.same(await inaccessible(page), [])
      await page.keyboard.press('c')
      await dialogOf(page, 'Create webhook').waitFor()
      await page.keyboard.type('example.org')
      await page.keyboard.press('Enter')
      await page.getByText('Write the whole address').waitFor()
      await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'webhook-url')
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type(target.url)
      await page.getByLabel('Events').selectOption('some')
      await page.getByRole('group', { name: 'API keys' }).getByLabel('was made, changed or revoked').check()
      t.same(await inaccessible(page), [])
      t.same(await cut(page), [])
      await press('Create webhook')
      const shown = dialogOf(page, /^Secret of/)
      await shown.waitFor()
      const secret = (await shown.locator('.secret').textContent()) ?? ''
      t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      t.same(await inaccessible(page), [])
      await page.keyboard.press('Escape')
      await page.getByText('Is it stored?').waitFor()
      await page.keyboard.press('Escape')
      await shown.waitFor({ state: 'detached' })
      const left = await page.evaluate(() =>
        JSON.stringify([document.documentElement.outerHTML, { ...sessionStorage }, { ...localStorage }, location.href, history.state]),
      )
      t.notOk(left.includes(secret), 'nothing keeps the secret')

      await page.getByRole('grid', { name: 'Webhooks' }).focus()
      await page.keyboard.press('Enter')
      const panel = page.getByRole('region', { name })
      await panel.getByText('transactions, apikey.changed').waitFor()
      await press('Send a ping')
      await panel.getByText(/It arrived\. Answered 204 in \d+ ms\.$/).waitFor()
      t.match(JSON.parse(target.got[0] ?? '{}'), { type: 'ping' })
      const sent = panel.getByRole('region', { name: 'What was sent' })
      await sent.getByRole('listitem').filter({ hasText: 'ping' }).getByText('Delivered').waitFor()
      t.same(await inaccessible(page), [])
      await sent.getByRole('button', { name: /^Resend ping/ }).click()
      await page.getByRole('status').getByText('ping is sent again.').waitFor()

      await press('Rotate secret')
      await dialogOf(page, /^Rotate the secret/).waitFor()
      t.same(await inaccessible(page), [])
      await press('Rotate')
      await shown.getByText('messages are signed with the secret before, too').waitFor()
      t.not(await shown.locator('.secret').textContent(), secret)
      await press('I have stored it')
      await panel.getByText('signs too, until').waitFor()

      await press('Change')
      await dialogOf(page, /^Change/).waitFor()
      await page.getByLabel('Description (optional)').fill('Of the payout desk.')
      await page.getByLabel('Events').selectOption('all')
      await press('Save')
      await panel.getByText('Of the payout desk.').waitFor()
      await panel.getByText('everything').waitFor()
      await press('Disable')
      await panel.getByText('Enable it, and replay the time that it has missed.').waitFor()
      t.equal(await page.getByRole('button', { name: 'Send a ping' }).isDisabled(), true)
      await press('Enable')
      await panel.getByText('It is sent what happens.').waitFor()

      target.failOnce()
      await press('Send a ping')
      await panel.getByText(/It did not arrive\. Answered 503 in \d+ ms: it did not answer with 2xx\./).waitFor()
      await panel.getByText('not today').first().waitFor()
      await panel.getByText('Failing', { exact: true }).waitFor()
      await target.holding()
      await page.waitForResponse(/\/deliveries\?/)
      target.answer(204)
      await panel.getByText(/It arrived\. Answered 204/).waitFor()
      t.equal(await panel.getByText(/It did not arrive\. Answered 503/).count(), 1, 'a failure stays beside what came later')
      t.same(await inaccessible(page), [])
      await press('Replay')
      await dialogOf(page, /^Replay to/).waitFor()
      t.same(await inaccessible(page), [])
      await press('Send again')
      await page
        .getByRole('status')
        .getByText(/sent again\.$/)
        .waitFor()

      await press('Delete')
      await dialogOf(page, /^Delete/).waitFor()
      await page.keyboard.type('127.0.0')
      await page.keyboard.press('Enter')
      await page.getByText('This is not its name.').waitFor()
      t.same(await inaccessible(page), [])
      await page.keyboard.type('.1')
      await page.keyboard.press('Enter')
      await page.getByRole('status').getByText(`${name} is deleted.`).waitFor()
      await page.getByText('No webhooks yet').waitFor()
    }),
  )

  await t.test('are those of every account for an operator, and what is wrong with them is said', (t) =>
    visit(t, browser, async (page) => {
      await signIn(page, `${dashboard}webhooks`, operator)
      await page.getByText('No webhooks yet').waitFor()
      await page.keyboard.press('c')
      await page.getByLabel('Address', { exact: true }).fill(target.url)
      await page.keyboard.press('Enter')
      await page.getByText('Choose the account that the webhook is for.').waitFor()
      await page.getByRole('dialog').getByLabel('Account').selectOption('globex')
      await answer(page, 'webhooks?*', refusal(400, 'WEBHOOK_URL_REFUSED', 'Webhooks are not sent to that address.'))
      await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click()
      await page.getByText('Webhooks are not sent to that address.').waitFor()
      await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'webhook-url')
      await answer(page, 'webhooks?*', { unreachable: true })
      await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click()
      await page.getByText('Whether the webhook was made is not known').waitFor()
      t.same(await inaccessible(page), [])
      await page.unroute('**/api/v1/webhooks?*')
      await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click()
      await page.getByRole('button', { name: 'I have stored it' }).click()
      await page.getByRole('row').filter({ hasText: name }).getByText('Globex').waitFor()
      await page.getByRole('complementary').getByLabel('Account').selectOption('acme')
      await page.getByText('No webhooks yet').waitFor()

      const failing = webhookOf(1, {
        status: 'failing',
        reason: 'The last attempt failed: there was no answer in time.',
        failing_since: new Date(NOW.getTime() - 7_200_000).toISOString(),
        backlog: { waiting: 12, next_at: new Date(NOW.getTime() + 60_000).toISOString(), missed: 0, missed_since: null },
      })
      const off = webhookOf(2, { status: 'disabled', reason: 'It answered 410: gone.', events: ['transaction.*', 'position.withdrawable'] })
      const all = Array.from({ length: 120 }, (_, place) => deliveryOf(place, NOW))
      await answer(page, 'protocols?*', { body: [MONAD] })
      await answer(page, 'webhooks*', { body: [failing, off, webhookOf(3)] })
      await answer(page, 'webhooks/*/deliveries?*', ({ searchParams }) => {
        const state = searchParams.get('state')
        const before = searchParams.get('before') ?? '~'
        const found = all.filter((each) => (state === null || each.state === state) && each.id < before)
        const shown = found.slice(0, Number(searchParams.get('limit')))
        return { body: { deliveries: shown, next: found.length > shown.length ? shown.at(-1)?.id : null } }
      })
      await comeBack(page)
      await page.getByRole('row').filter({ hasText: 'hooks-1' }).getByText('Failing').click()
      const panel = page.getByRole('region', { name: 'hooks-1.example.org/staking' })
      await panel.getByText('there was no answer in time').waitFor()
      const sent = panel.getByRole('region', { name: 'What was sent' })
      await sent.getByText('Answered 503 in 1203 ms: it did not answer with 2xx').first().waitFor()
      t.equal(await sent.getByRole('listitem').count(), 25)
      await sent.getByRole('button', { name: 'Show older ones' }).click()
      await sent.getByRole('listitem').nth(49).waitFor()
      await sent.getByRole('button', { name: 'Given up' }).click()
      await sent.getByText('attempt 10 of 10').first().waitFor()
      t.equal(await sent.getByText('Delivered', { exact: true }).count(), 1, 'the choice alone says so')
      t.same(await inaccessible(page), [])
      await page.keyboard.press('j')
      await page.getByText('It answered 410: gone.').waitFor()
      await answer(page, 'webhooks*', refusal(503, 'DATABASE_UNAVAILABLE', 'The database is away.'))
      await comeBack(page)
      await page.getByText('The database is away. What is shown was read before.').waitFor()
      await page.setViewportSize({ width: 390, height: 844 })
      t.same(await cut(page), [])
      t.same(await inaccessible(page), [])
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      t.same(await cut(page), [])
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click()
      await page.getByRole('group', { name: 'Positions' }).waitFor()
      t.same(await cut(page), [])
      t.same(await inaccessible(page), [])
    }),
  )
})
