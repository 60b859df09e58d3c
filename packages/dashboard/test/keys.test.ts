import type { Page } from 'playwright-core'
import t from 'tap'
import type { ApiKey } from '../src/api/keys.ts'
import { browserOfAll, lacking } from './support/chromium.ts'
import { answer, comeBack, cut, inaccessible, refusal, signIn, visit } from './support/page.ts'
import { service } from './support/service.ts'

const REVOKED = refusal(401, 'TOKEN_INVALID', 'The management token is not accepted.')
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('label, .field')?.querySelector('label')?.textContent ?? '')
/** So many keys as the service lists them, oldest first. */
const many = (total: number): readonly ApiKey[] =>
  Array.from({ length: total }, (_, place) => ({
    ulid: `01JD4Z0V9T6E6N1S2XKQ${String(place).padStart(6, '0')}`,
    name: `service-${place}`,
    description: null,
    expirationDate: null,
    active: place % 10 !== 0,
    createdAt: '2026-11-01T00:00:00.000Z',
    lastUsedAt: null,
    prefix: 'svc_01JD4Z0V9T6E6N',
    account: place % 2 === 0 ? 'acme' : 'globex',
  }))

t.test('the keys in a browser', { skip: lacking }, async (t) => {
  const [browser, { dashboard, local, customer, operator }] = await Promise.all([browserOfAll(), service(t)])
  const api = new URL('../api/v1/', local)
  const ask = async <T>(token: string, path: string, init: RequestInit = {}): Promise<T> =>
    (
      await fetch(new URL(path, api), { ...init, headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` } })
    ).json() as T
  const listed = (token: string) => ask<readonly ApiKey[]>(token, 'apikeys')

  await t.test('are made, turned off and on, changed, replaced and deleted by keyboard alone', (t) =>
    visit(t, browser, async (page) => {
      await answer(page, 'protocols*', { body: [{ path: '/api/v1/evm-three/a-protocol-with-a-rather-long-path' }] })
      await signIn(page, `${dashboard}keys`, customer)
      await page.getByText('No keys yet').waitFor()
      t.same(await inaccessible(page), [])
      await page.keyboard.press('c')
      await dialogOf(page, 'Create key').waitFor()
      t.equal(await focused(page), 'Name')
      await page.keyboard.press('Enter')
      await page.getByText('Give the key a name.').waitFor()
      t.equal(await focused(page), 'Name', 'where something is wrong, there is the focus')
      t.same(await inaccessible(page), [])
      await page.keyboard.type('payments-production')
      await page.keyboard.press('Enter')
      const shown = dialogOf(page, 'Key for “payments-production”')
      await shown.waitFor()
      const value = (await shown.locator('.secret').textContent()) ?? ''
      t.match(value, /^svc_[0-9A-Z]{26}_[\w-]{51}$/)
      // By an effect, which comes after the dialog.
      await page.waitForFunction((secret) => getSelection()?.toString() === secret, value)
      await shown.getByText(`curl -H "X-API-KEY: $KEY" ${dashboard.replace('dashboard/', '')}api/v1/evm-three/a-protocol`).waitFor()
      t.same(await cut(page), [])
      await shown.getByRole('button', { name: 'Copy value' }).click()
      await shown.getByRole('status').getByText('Copied').waitFor()
      t.same(await inaccessible(page), [])
      await page.keyboard.press('Escape')
      await page.getByText('Is it stored?').waitFor()
      await page.keyboard.press('Escape')
      await shown.waitFor({ state: 'detached' })
      const left = await page.evaluate(() =>
        JSON.stringify([document.documentElement.outerHTML, { ...sessionStorage }, { ...localStorage }, location.href, history.state]),
      )
      t.notOk(left.includes(value), 'nothing keeps the value')
      const [made] = await listed(customer)
      t.match(made, { name: 'payments-production', active: true, description: null, ulid: value.slice(4, 30) })
      const life = Date.parse(made?.expirationDate ?? '') - Date.parse(made?.createdAt ?? '')
      t.equal(Math.round(life / 86_400_000), 90, 'it ends in 90 days, where nobody said otherwise')

      await page.getByRole('grid', { name: 'Keys' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'payments-production', level: 2 }).waitFor()
      t.match(page.url(), new RegExp(`/keys/${made?.ulid}$`), 'a key has an address')
      t.same(await inaccessible(page), [])
      const press = async (name: string) => {
        await page.getByRole('button', { name, exact: true }).focus()
        await page.keyboard.press('Enter')
      }
      await press('Turn off')
      await page.getByRole('status').getByText('“payments-production” is turned off.').waitFor()
      t.match(await listed(customer), [{ active: false }])
      t.same(await inaccessible(page), [])
      await page.keyboard.press('u')
      await page.getByText('It is accepted.').waitFor()
      t.match(await listed(customer), [{ active: true }], 'Undo takes it back')

      await press('Change')
      await dialogOf(page, 'Change “payments-production”').waitFor()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('payments')
      await page.keyboard.press('Tab')
      await page.keyboard.type('Of Ada.')
      await page.keyboard.press('Tab')
      await page.keyboard.type('On')
      // In which order its parts are typed depends on the browser's language.
      await page.getByLabel('Last day').fill('2030-01-31')
      t.same(await inaccessible(page), [])
      await page.keyboard.press('Enter')
      await page.getByRole('status').getByText('“payments” is changed.').waitFor()
      t.match(await listed(customer), [{ name: 'payments', description: 'Of Ada.', expirationDate: '2030-01-31T23:00:00.000Z' }])

      await press('Replace')
      await dialogOf(page, 'Replace “payments”').waitFor()
      await page.keyboard.press('Enter')
      await dialogOf(page, 'Key for “payments-2”').waitFor()
      t.equal((await listed(customer))[0]?.expirationDate, '2030-01-31T23:00:00.000Z', 'the old one goes on until the new one is stored')
      await press('I have stored it')
      await page.getByRole('status').getByText('“payments” ends in 7 days.').waitFor()
      const [old, twin] = await listed(customer)
      t.match(twin, { name: 'payments-2', description: 'Of Ada.', active: true })
      t.equal(Math.round((Date.parse(old?.expirationDate ?? '') - Date.now()) / 86_400_000), 7)

      await press('Delete')
      await dialogOf(page, 'Delete “payments”').getByText('It was never used.').waitFor()
      await page.keyboard.type('payment')
      await page.keyboard.press('Enter')
      await page.getByText('This is not its name.').waitFor()
      t.same(await inaccessible(page), [])
      await page.keyboard.type('s')
      await page.keyboard.press('Enter')
      await page.getByRole('status').getByText('“payments” is deleted.').waitFor()
      t.same(
        (await listed(customer)).map(({ name }) => name),
        ['payments-2'],
      )
      t.match(page.url(), /\/keys$/)
      await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'grid')
      t.pass('one goes on in the list')
    }),
  )

  await t.test('are those of every account for an operator, who says for whom a new one is', (t) =>
    visit(t, browser, async (page) => {
      await ask(operator, 'apikeys?account=globex', { method: 'POST', body: '{"name":"mobile-eu"}' })
      await signIn(page, `${dashboard}keys`, operator)
      const row = page.getByRole('row', { name: /mobile-eu/ })
      await row.getByText('Globex').waitFor()
      await page.keyboard.press('c')
      await page.getByLabel('Name', { exact: true }).fill('treasury')
      await page.keyboard.press('Enter')
      await page.getByText('Choose the account that the key is for.').waitFor()
      t.equal(await focused(page), 'Account')
      await page.getByRole('dialog').getByLabel('Account').selectOption('globex')

      await answer(page, 'apikeys?*', refusal(409, 'KEYS_EXHAUSTED', 'The account has 1000 API keys, which is the most that it may have.'))
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('alert').getByText('which is the most').waitFor()
      for (const [code, label] of [
        ['INVALID_NAME', 'Name'],
        ['INVALID_DESCRIPTION', 'Description (optional)'],
        ['INVALID_EXPIRATION_DATE', 'Expires'],
        ['UNKNOWN_ACCOUNT', 'Account'],
      ] as const) {
        await answer(page, 'apikeys?*', refusal(400, code, `Wrong: ${code}.`))
        await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
        await page.getByText(`Wrong: ${code}.`).waitFor()
        t.equal(await focused(page), label, `${code} is told at its field`)
      }
      await answer(page, 'apikeys?*', { unreachable: true })
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
      await page.getByText('Whether the key was made is not known').waitFor()
      t.same(await inaccessible(page), [])

      await answer(page, 'apikeys?*', REVOKED)
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
      await dialogOf(page, 'Sign in again').waitFor()
      await page.unroute('**/api/v1/apikeys?*')
      await page.keyboard.type(operator)
      await page.keyboard.press('Enter')
      await dialogOf(page, 'Sign in again').waitFor({ state: 'detached' })
      t.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'treasury', 'what was typed is there still')
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('button', { name: 'I have stored it' }).click()
      await page
        .getByRole('row', { name: /treasury/ })
        .getByText('Globex')
        .waitFor()
      await page.getByRole('complementary').getByLabel('Account').selectOption('acme')
      await row.waitFor({ state: 'detached' })
      t.equal(await page.getByRole('row', { name: /treasury/ }).count(), 0, 'an account is looked at alone')
    }),
  )

  await t.test('are found among many, seen when they were made elsewhere, and all told when they cannot be read', (t) =>
    visit(t, browser, async (page) => {
      const all = many(1204)
      let keys = all
      const inPages = (url: URL) => {
        const from = keys.findIndex(({ ulid }) => ulid === url.searchParams.get('after')) + 1
        return { body: keys.slice(from, from + 1000) }
      }
      await answer(page, 'apikeys*', inPages)
      await signIn(page, `${dashboard}keys`, operator)
      await page.getByText('1,204 of 2,000').waitFor()
      t.ok((await page.getByRole('row').count()) < 60, 'only what is seen is drawn')
      await page.getByRole('grid').focus()
      await page.keyboard.press('End')
      await page.getByRole('row', { name: /service-0 / }).waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('service-77')
      await page.getByText('11 of 1,204 shown').waitFor()
      await page.getByLabel('State').selectOption('off')
      await page.getByText('1 of 1,204 shown').waitFor()
      t.match(page.url(), /\?q=service-77&state=off$/, 'a view can be shared')
      await page.getByLabel('Name, account or start of a key').fill(`svc_${all[6]?.ulid}_${'s'.repeat(51)}`)
      await page.getByText('Nothing matches').waitFor()
      t.notMatch(page.url(), /sss/, 'the secret of a value that was pasted is not kept')
      t.same(await inaccessible(page), [])
      await page.getByRole('button', { name: 'Clear the filters' }).click()
      keys = [...all, { ...(all[0] as ApiKey), ulid: '01JD5000000000000000000000', name: 'made-elsewhere' }]
      await comeBack(page)
      await page.getByRole('row', { name: /made-elsewhere/ }).waitFor()

      await answer(page, 'apikeys*', refusal(503, 'DATABASE_UNAVAILABLE', 'The database is away.'))
      await comeBack(page)
      await page.getByText('The database is away. What is shown was read before.').waitFor()
      t.equal(await page.getByRole('row', { name: /made-elsewhere/ }).count(), 1, 'what was read stays')
      await page.getByRole('complementary').getByLabel('Account').selectOption('acme')
      await page.getByRole('heading', { name: 'The service failed' }).waitFor()
      t.same(await inaccessible(page), [])
      await answer(page, 'apikeys*', { body: all.slice(0, 3), after: 1200 })
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.locator('.bars span').first().waitFor()
      await page.getByText('3 of 1,000').waitFor()

      keys = all
      await answer(page, 'apikeys*', inPages)
      await signIn(page, `${dashboard}keys/${all[3]?.ulid}`, operator)
      await page.getByRole('heading', { name: 'service-3', level: 2 }).waitFor()
      const row = page.getByRole('row', { name: /service-3 /, selected: true })
      await row.waitFor()
      t.equal(await row.evaluate((each) => each.getBoundingClientRect().bottom <= innerHeight), true, 'a key with an address is in sight')
      await page.keyboard.press('j')
      await page.getByRole('heading', { name: 'service-2', level: 2 }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('row', { name: /service-2 /, selected: true }).waitFor()
      t.pass('what was open last is where one goes on')

      await answer(page, 'apikeys/*', refusal(404, 'KEY_NOT_FOUND', 'There is no API key with this id.'))
      await page.goto(`${dashboard}keys/01JD6000000000000000000000`)
      await page.getByLabel('Token', { exact: true }).fill(operator)
      await page.keyboard.press('Enter')
      await page.getByText('There is no API key with this id.').waitFor()
    }),
  )

  await t.test('are managed by thumb', (t) =>
    visit(
      t,
      browser,
      async (page) => {
        await signIn(page, `${dashboard}keys?account=globex`, operator)
        await page.getByRole('list', { name: 'Keys' }).getByText('mobile-eu').waitFor()
        t.same(await cut(page), [])
        t.same(await inaccessible(page), [])
        await page.getByRole('button', { name: 'mobile-eu' }).tap()
        const panel = dialogOf(page, 'mobile-eu')
        await panel.getByRole('button', { name: 'Turn off' }).tap()
        await panel.getByText('“mobile-eu” is turned off.').waitFor()
        t.same(await cut(page), [])
        t.same(await inaccessible(page), [])
        await panel.getByRole('button', { name: 'Undo' }).tap()
        await panel.getByText('It is accepted.').waitFor()
        await panel.getByRole('button', { name: 'Delete' }).tap()
        await dialogOf(page, 'Delete “mobile-eu”').waitFor()
        t.same(await cut(page), [])
        const elsewhere = (await ask<readonly ApiKey[]>(operator, 'apikeys?account=globex')).find(({ name }) => name === 'mobile-eu')
        await fetch(new URL(`apikeys/${elsewhere?.ulid}`, api), { method: 'DELETE', headers: { authorization: `Bearer ${operator}` } })
        await page.getByRole('dialog').getByRole('textbox').fill('mobile-eu')
        await page.keyboard.press('Enter')
        await dialogOf(page, 'Delete “mobile-eu”').getByRole('alert').getByText('There is no API key').waitFor()
        await page.getByRole('button', { name: 'Cancel' }).tap()
        await dialogOf(page, 'Key').getByRole('heading', { name: 'Not here' }).waitFor()
        await page.getByRole('button', { name: 'Close' }).tap()
        t.equal(await page.getByRole('button', { name: 'mobile-eu' }).count(), 0, 'what somebody else deleted is in no list')
        const name = 'n'.repeat(200)
        await ask(operator, 'apikeys?account=globex', { method: 'POST', body: JSON.stringify({ name }) })
        await comeBack(page)
        await page.getByRole('button', { name }).tap()
        await page.getByRole('button', { name: 'Delete' }).tap()
        t.same(await cut(page), [])
        await page.getByRole('button', { name: 'Cancel' }).tap()
        await page.getByRole('button', { name: 'Close' }).tap()
        await page.getByRole('button', { name: 'Create key' }).tap()
        t.same(await cut(page), [])
        t.same(await inaccessible(page), [])
      },
      { viewport: { width: 390, height: 844 }, hasTouch: true },
    ),
  )
})
