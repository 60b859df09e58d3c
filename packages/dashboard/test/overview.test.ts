import type { Page } from 'playwright-core'
import t from 'tap'
import type { Overview, Window } from '../src/api/overview.ts'
import { browserOfAll, lacking } from './support/chromium.ts'
import { overviewOf, serviceOf } from './support/figures.ts'
import { answer, comeBack, cut, inaccessible, refusal, signIn, visit } from './support/page.ts'
import { MONAD, MONAD_JAILED } from './support/protocols.ts'
import { service } from './support/service.ts'

const NOW = new Date()
const SESSION = {
  kind: 'operator',
  account: null,
  token: { ulid: '01JD4Z0V9T6E6N1S2XKQ3B7W8R', name: 'ops-laptop', prefix: 'svco_01JD4Z0V', expires: null },
  accounts: [{ id: 'acme', name: 'Acme', keys: 3, max_keys: 1000 }],
  version: '1.0.0',
  sandbox: false,
}
const figures = (page: Page, changes: Partial<Overview>) =>
  answer(page, 'overview?*', (url) => ({
    body: overviewOf((url.searchParams.get('window') ?? '24h') as Window, NOW, (index) => 200 + index, changes),
  }))

t.test('overview and protocols in a browser', { skip: lacking }, async (t) => {
  const [browser, { dashboard, local, operator, customer }] = await Promise.all([browserOfAll(), service(t)])

  await t.test('tell of the service as it is', (t) =>
    visit(t, browser, async (page) => {
      await signIn(page, dashboard, operator)
      await page.getByText('No request in the last 24 hours.').waitFor()
      const { status } = await fetch(new URL('../api/v1/session', local), { headers: { token: 'svcm_wrong' } })
      t.equal(status, 401)
      // Counted with the audit record, which is saved a moment after the answer.
      const refused = page.getByRole('link', { name: 'TOKEN_INVALID' })
      for (let tries = 0; tries < 50 && (await refused.count()) === 0; tries++) {
        await comeBack(page)
        await page.waitForTimeout(50)
      }
      t.match(await refused.getAttribute('href'), /\/activity\?error=TOKEN_INVALID&period=24h$/)
      await page.getByText('In the last 24 hours: none answered, 1 refused, none failed.').waitFor()
      await page.getByText('SQLite, embedded').waitFor()

      await page.getByRole('button', { name: '1 hour' }).press('Enter')
      await page.getByText('In the last hour: none answered, 1 refused, none failed.').waitFor()
      t.match(page.url(), /\?window=1h$/, 'a view can be shared')
      await page.getByRole('button', { name: 'Show as table' }).press('Enter')
      t.equal(await page.getByRole('grid', { name: 'Requests over time' }).getAttribute('aria-rowcount'), '61')

      await page.keyboard.press('g')
      await page.keyboard.press('p')
      await page.getByRole('heading', { name: 'Of which account?' }).waitFor()
      t.same(await inaccessible(page), [])
      await page.getByLabel('Account to look at').selectOption('acme')
      await page.getByText('"@acme/plugin-own"').waitFor()
      t.same(await inaccessible(page), [], 'what is to be written into the config')
      await page.getByRole('button', { name: 'Sign out' }).click()
      await signIn(page, dashboard, customer)
      await page.getByText('Acme, as of').waitFor()
      t.equal(await page.getByRole('heading', { name: 'Endpoints' }).count(), 0, 'a customer sees nothing of the service')
      await page.keyboard.press('g')
      await page.keyboard.press('p')
      await page.getByText('The operator of this service enables protocols').waitFor()
    }),
  )

  await t.test('keep the last figures while the service is away, and say since when', (t) =>
    visit(t, browser, async (page) => {
      await page.clock.install()
      await answer(page, 'session', { body: SESSION })
      const alarm = { kind: 'DECODE_MISMATCH', account: 'acme', protocol: 'evm-three', network: '143', action: 'delegate' }
      const expires = new Date(NOW.getTime() + 3 * 86_400_000).toISOString()
      await figures(page, {
        refusals: [{ code: 'INSUFFICIENT_BALANCE', count: 12 }],
        crafts: [{ protocol: 'evm-three', action: 'delegate', count: 812 }],
        alarms: [{ ...alarm, time: NOW.toISOString(), request_id: '01JD4Z0V9T6E6N1S2XKQ3B7W8T' }],
        keys: { active: 7, inactive: 2, expiring: [{ ulid: '01JD4Z0V9T6E6N1S2XKQ3B7W8R', name: 'night-batch', account: 'acme', expires }] },
        service: serviceOf(NOW),
      })
      await signIn(page, `${dashboard}overview`, 'operator')
      await page.getByText('A transaction was withheld').waitFor()
      t.match(
        await page.getByRole('link', { name: /^Look at it: request/ }).getAttribute('href'),
        /\/activity\/01JD4Z0V9T6E6N1S2XKQ3B7W8T\?/,
      )
      await page.getByText(/timeout, since \d+ minutes ago/).waitFor()
      t.same(await inaccessible(page), [])
      t.same(await cut(page), [])
      await page.setViewportSize({ width: 390, height: 844 })
      t.same(await cut(page), [])
      t.same(await inaccessible(page), [])

      await answer(page, 'overview?*', { unreachable: true })
      await page.clock.runFor(15_100)
      await page.getByText('The service cannot be reached. It has been so since').waitFor()
      t.equal(await page.getByText('4,800').count(), 0)
      await page.getByRole('link', { name: 'INSUFFICIENT_BALANCE' }).waitFor()
      t.same(await inaccessible(page), [], 'with figures that are old')
      await answer(page, 'overview?*', refusal(429, 'RATE_LIMITED', 'The limit is used up.', { 'retry-after': '40' }))
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('The limit is used up.').waitFor()
      await figures(page, { refusals: [{ code: 'SLOT_IN_USE', count: 4 }] })
      await page.clock.runFor(30_000)
      t.equal(await page.getByRole('link', { name: 'SLOT_IN_USE' }).count(), 0, 'a limit is waited for')
      await page.clock.runFor(11_000)
      await page.getByRole('link', { name: 'SLOT_IN_USE' }).waitFor()
      t.equal(await page.getByText('It has been so since').count(), 0)

      await answer(page, 'overview?*', refusal(401, 'TOKEN_INVALID', 'The management token is not accepted.'))
      await page.clock.runFor(15_100)
      await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    }),
  )

  await t.test('show each term whole, and a line that asks for each action', (t) =>
    visit(t, browser, async (page) => {
      await answer(page, 'session', { body: SESSION })
      await answer(page, 'protocols?*', { body: [MONAD], after: 400 })
      await signIn(page, `${dashboard}protocols`, 'operator')
      await page.getByRole('status', { name: 'Loading' }).waitFor()
      const grid = page.getByRole('grid', { name: 'Protocols' })
      await grid.focus()
      t.same(await inaccessible(page), [])
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/protocols\/evm-three\/10143$/)
      await page.getByText('It was not read to the end yet.').waitFor()
      // What was gone to begins at its title.
      await page.locator('h1:focus').waitFor()
      await page.getByLabel('Network').focus()
      await page.getByLabel('Network').selectOption('143')
      await page.getByText('14.1911989357').waitFor()
      await page.getByText('Stake is taken, and earns. It keeps 10\u00a0% of the rewards.').waitFor()
      t.equal(await page.evaluate(() => document.activeElement?.tagName), 'SELECT', 'a choice keeps the focus')
      const contract = page.getByRole('button', { name: /0x0000000000000000000000000000000000001000/ })
      t.equal(await contract.textContent(), '0x0000000000000000000000000000000000001000', 'none is cut')
      await page.locator('summary').first().press('Enter')
      await page.getByRole('textbox', { name: 'amount' }).fill('100.000000000000000001')
      await page.getByText('"amount": 100.000000000000000001}').waitFor()
      t.match(
        await page.locator('code.code').first().textContent(),
        /^curl -sS 'http:\/\/stake\.test:\d+\/api\/v1\/evm-three\/native\/action\/delegate' /,
      )
      await page.getByText('Fill in address.').waitFor()
      await page.locator('summary').last().press('Enter')
      await page.getByLabel('sign, may be left out').selectOption('true')
      await page.getByText('"withdrawId": "<withdrawId>", "sign": true}').waitFor()
      t.same(await inaccessible(page), [])
      t.same(await cut(page), [])
      await page.setViewportSize({ width: 390, height: 844 })
      t.same(await cut(page), [])
      t.same(await inaccessible(page), [])
      await answer(page, 'protocols?*', refusal(500, 'INTERNAL_ERROR', 'The service failed.'))
      await comeBack(page)
      await page.getByText('The service failed. What is shown was read').waitFor()
      t.equal(await page.getByRole('textbox', { name: 'amount' }).inputValue(), '100.000000000000000001', 'what was typed stays')
      await page.goto(`${dashboard}protocols/nothing`)
      await answer(page, 'protocols?*', { body: [MONAD_JAILED] })
      await page.getByLabel('Token', { exact: true }).fill('operator')
      await page.keyboard.press('Enter')
      await page.getByText('There is no protocol nothing for this account.').waitFor()
      await page.getByRole('link', { name: 'All protocols' }).click()
      await page.getByText('Enable another protocol').click()
      await page.getByText('"accounts": {').waitFor()
      await page.getByRole('button', { name: 'Monad' }).first().waitFor()
      t.same(await inaccessible(page), [], 'the list on a phone')
      t.same(await cut(page), [])
      await page.getByText('Jailed').waitFor()
      await page.getByRole('button', { name: 'Monad' }).first().click()
      await page.getByText('It is jailed. Stake is refused. What is staked there can leave.').waitFor()
      await page.getByText('The service could not read it since.').waitFor()
      t.same(await inaccessible(page), [])
      t.same(await cut(page), [])
    }),
  )
})
