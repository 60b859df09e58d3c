import type { Page } from 'playwright-core'
import t from 'tap'
import { browserOfAll, lacking } from './support/chromium.ts'
import { answer, comeBack, cut, inaccessible, refusal, signIn, visit } from './support/page.ts'
import { service } from './support/service.ts'

const OPERATOR = {
  kind: 'operator',
  account: null,
  token: { ulid: '01JD4Z0V9T6E6N1S2XKQ3B7W8R', name: 'ops-laptop', prefix: 'svc_01JD4Z0V', expires: '2027-03-02T00:00:00.000Z' },
  accounts: [
    { id: 'acme', name: 'Acme', keys: 3, max_keys: 1000 },
    { id: 'globex', name: 'Globex', keys: 1204, max_keys: 2000 },
  ],
  version: '1.0.0',
  sandbox: false,
}
const CUSTOMER = {
  ...OPERATOR,
  kind: 'account',
  account: { id: 'acme', name: 'Acme' },
  token: { ...OPERATOR.token, name: 'laptop', expires: null },
  accounts: OPERATOR.accounts.slice(0, 1),
}
const INVALID = refusal(401, 'TOKEN_INVALID', 'The management token is not accepted.')
const bySession = (page: Page) =>
  answer(page, 'session', (_url, authorization) => {
    if (authorization === 'Bearer operator') return { body: OPERATOR }
    return authorization === 'Bearer customer' ? { body: CUSTOMER } : INVALID
  })

t.test('the dashboard in a browser', { skip: lacking }, async (t) => {
  const [browser, { dashboard, local, customer, operator }] = await Promise.all([browserOfAll(), service(t)])

  await t.test('signs in with either token, and says what a refused one is', (t) =>
    visit(t, browser, async (page) => {
      await page.goto(`${dashboard}session`)
      const field = page.getByLabel('Token', { exact: true })
      await field.waitFor()
      t.equal(await field.evaluate((element) => element === document.activeElement), true, 'the field has the focus')
      t.same(await inaccessible(page), [])
      await page.keyboard.press('Enter')
      await page.getByText('Enter a token.').waitFor()
      await page.keyboard.type('  wrong  ')
      await page.keyboard.press('Enter')
      await page.getByText('The service does not accept this token').waitFor()
      t.equal(await field.getAttribute('aria-invalid'), 'true')
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await field.fill(`svc_01JD4Z0V9T6E6N1S2XKQ3B7W8R_${'a'.repeat(51)}`)
      await page.keyboard.press('Enter')
      await page.getByText('This is an API key, for programs.').waitFor()
      t.same(asked, [], 'a key is not sent where a token belongs')
      await field.fill('wrong')
      await answer(page, 'session', { unreachable: true })
      await page.keyboard.press('Enter')
      await page.getByText('The service cannot be reached.').waitFor()
      await answer(page, 'session', refusal(429, 'RATE_LIMITED', 'The limit is used up.', { 'retry-after': '30' }))
      await page.keyboard.press('Enter')
      await page.getByText(/The limit is used up. Try again from \d\d:\d\d:\d\d on./).waitFor()
      await page.unroute('**/api/v1/session')
      await field.fill(` ${operator} `)
      await page.keyboard.press('Enter')
      await page.getByText('Operator token: sees every account').waitFor()
      t.match(page.url(), /\/dashboard\/session$/, 'it is where the address led')
      t.match(await page.title(), /^Session/)
      t.equal(await page.getByLabel('Account', { exact: true }).locator('option').count(), 3, 'an operator chooses among all')
      await page.getByLabel('Account', { exact: true }).selectOption('globex')
      t.match(page.url(), /\?account=globex$/, 'a view can be shared')
      t.same(await inaccessible(page), [])
      const stored = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }, location.href, document.cookie]))
      t.notOk(stored.includes(operator), 'the token is in memory alone')
      await page.reload()
      await field.waitFor()
      t.pass('a reload signs out')

      await field.fill(customer)
      await page.getByLabel('Keep me signed in in this tab').check()
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('Management token of Acme').waitFor()
      t.equal(await page.getByLabel('Account', { exact: true }).count(), 0, 'a customer has one account')
      await page.reload()
      await page.getByText('Management token of Acme').waitFor()
      t.pass('the tab keeps the token, as it was told')
      await page.getByRole('button', { name: 'Sign out' }).click()
      await field.waitFor()
      await page.reload()
      await field.waitFor()
      t.pass('signing out forgets it')
    }),
  )

  await t.test('offers the token of a sandbox on this machine', (t) =>
    visit(t, browser, async (page) => {
      await answer(page, 'sandbox/tokens', { body: { operator_token: operator, management_token: customer, api_key: 'svc_1' } })
      await page.goto(`${local}session`)
      const use = page.getByRole('button', { name: 'Use the sandbox’s token' })
      await use.waitFor()
      t.equal(await page.getByText('This page came over plain http').count(), 0, 'nobody is between a machine and itself')
      t.same(await inaccessible(page), [])
      await use.click()
      await page.getByText('Operator token: sees every account').waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await use.waitFor()
      t.pass('and again after signing out')
    }),
  )

  await t.test('asks again for a token that ends in mid-session, above what was open', (t) =>
    visit(t, browser, async (page) => {
      await bySession(page)
      await signIn(page, `${dashboard}session?account=acme`, 'operator')
      const again = page.getByRole('dialog', { name: 'Sign in again' })

      await answer(page, 'session', INVALID)
      await page.getByRole('main').getByRole('button', { name: 'UTC' }).click()
      await comeBack(page)
      await again.getByText('This token is no longer accepted.').waitFor()
      t.same(await inaccessible(page), [])
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      t.equal(await again.isVisible(), true, 'Escape does not lead past it')
      t.equal(await page.evaluate(() => document.elementFromPoint(40, 200)?.closest('dialog')?.className), 'again', 'nothing below is seen')
      await bySession(page)
      await page.keyboard.type('operator')
      await page.keyboard.press('Enter')
      await again.waitFor({ state: 'detached' })
      t.match(page.url(), /session\?account=acme$/, 'the view is the same')
      t.equal(await page.getByRole('main').getByRole('button', { name: 'UTC' }).getAttribute('aria-pressed'), 'true')

      await answer(page, 'session', INVALID)
      await comeBack(page)
      // Keys before the field has the focus are nobody's.
      await again.getByLabel('Token', { exact: true }).and(page.locator(':focus')).waitFor()
      await bySession(page)
      await page.keyboard.type('customer')
      await page.keyboard.press('Enter')
      await page.getByText('Management token of Acme').waitFor()
      t.equal(await page.getByText('Globex').count(), 0, 'another reader sees nothing of the one before')

      await page.clock.install()
      await bySession(page)
      await page.reload()
      await page.getByLabel('Token', { exact: true }).waitFor()
      await page.keyboard.type('customer')
      await page.keyboard.press('Enter')
      await page.getByText('Management token of Acme').waitFor()
      await page.clock.fastForward('29:59')
      t.equal(await again.count(), 0)
      await page.clock.fastForward('00:02')
      await again.getByText('You were signed out after 30 minutes without input.').waitFor()
    }),
  )

  await t.test('says what went wrong, and goes on by itself', (t) =>
    visit(t, browser, async (page) => {
      await bySession(page)
      await signIn(page, `${dashboard}session`, 'customer')
      await answer(page, 'session', refusal(429, 'RATE_LIMITED', 'The limit is used up.', { 'retry-after': '1' }))
      await comeBack(page)
      await page.getByText('The limit is used up.').waitFor()
      await page.getByText('It is read again at').waitFor()
      await bySession(page)
      await page.getByText('The limit is used up.').waitFor({ state: 'detached' })
      await answer(page, 'session', { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>bad gateway' })
      await comeBack(page)
      await page.getByText('The service answered 502.').waitFor()
      t.same(await inaccessible(page), [])
      await answer(page, 'session', refusal(500, 'INTERNAL_ERROR', 'The service failed.'))
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('button', { name: 'Copy request id 01JD4Z0V9T6E6N1S2XKQ3B7W8R' }).click()
      await page.getByRole('status').getByText('Copied').waitFor()
      await bySession(page)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('grid', { name: 'Accounts' }).waitFor()
      await page.goto(`${dashboard}nothing/of/it`)
      await page.getByLabel('Token', { exact: true }).fill('customer')
      await page.keyboard.press('Enter')
      await page.getByText('There is no such page').waitFor()
      t.same(await inaccessible(page), [])
      t.match(await page.getByRole('link', { name: 'Go to the first one' }).getAttribute('href'), /\/dashboard\/$/)
    }),
  )

  await t.test('is used by keyboard alone, and by thumb', (t) =>
    visit(t, browser, async (page) => {
      await bySession(page)
      await signIn(page, `${dashboard}nowhere`, 'operator')
      await page.keyboard.press('?')
      const sheet = page.getByRole('dialog', { name: 'Keyboard' })
      await sheet.waitFor()
      t.same(await inaccessible(page), [])
      await page.keyboard.press('Escape')
      await sheet.waitFor({ state: 'detached' })
      await page.keyboard.press('g')
      await page.keyboard.press('s')
      await page.waitForURL(/\/session$/)
      await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
      t.pass('the title of a page that was gone to has the focus')
      await page.getByRole('grid', { name: 'Accounts' }).focus()
      await page.keyboard.press('j')
      const active = await page.getByRole('grid').getAttribute('aria-activedescendant')
      t.match(await page.locator(`[id="${active}"]`).textContent(), /Globex/)
      t.match(await page.locator(`[id="${active}"]`).textContent(), /1,204 of 2,000/)
      t.same(await cut(page), [])

      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByRole('button', { name: 'Menu' }).click()
      t.same(await inaccessible(page), [])
      t.same(await cut(page), [])
      await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Session' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      t.same(await cut(page), [])
      t.same(await inaccessible(page), [])
      await page.goto(dashboard)
      await page.getByLabel('Token', { exact: true }).waitFor()
      t.same(await cut(page), [])
    }),
  )
})
