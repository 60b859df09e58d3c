import { readFileSync } from 'node:fs'
import { unpackDocument } from '@svc/testing/api-document'
import t from 'tap'
import { browserOfAll, lacking } from './support/chromium.ts'
import { visit } from './support/page.ts'
import { service } from './support/service.ts'

/** The document of a service with every protocol, as the server's tests hold it; of three tags, since all of it takes a browser seconds. */
const whole = unpackDocument(readFileSync(new URL('../../../server/openapi.json', import.meta.url), 'utf8'))
const paths = Object.entries(Object(whole.paths)).filter(([path]) => /\/(evm-three|hub-one)\/native\/|webhooks/.test(path))
const DOCUMENT = JSON.stringify({ ...whole, paths: Object.fromEntries(paths) })

t.test("the API's console finds operations by what they are about, in the reader's colours", { skip: lacking }, async (t) => {
  const [browser, { dashboard }] = await Promise.all([browserOfAll(), service(t)])
  await visit(
    t,
    browser,
    async (page) => {
      await page.route('**/openapi.json', (route) => route.fulfill({ contentType: 'application/json', body: DOCUMENT }))
      await page.goto(new URL('/docs', dashboard).href)
      const shown = page.locator('.opblock-summary-path')
      await shown.first().waitFor()
      const field = page.locator('.operation-filter-input')
      // Paths are written with places to break.
      const paths = async () => (await shown.allTextContents()).map((path) => path.replaceAll('\u200b', ''))
      await field.fill('monad')
      await page.locator('.opblock-summary-path').filter({ hasText: 'hub-one' }).first().waitFor({ state: 'detached' })
      t.ok((await paths()).includes('/api/v1/evm-three/native/action/delegate'), 'a protocol by what people call it')
      await field.fill('deliveries')
      await page.locator('.opblock-summary-path').filter({ hasText: 'evm-three' }).first().waitFor({ state: 'detached' })
      const found = await paths()
      t.ok(found.length > 0 && found.every((path) => path.includes('webhooks')), 'an operation by its path or words')
      await field.fill('nothing of the kind')
      await page.getByText('No operations defined in spec').waitFor()

      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      t.equal(await background(), 'rgb(28, 32, 34)')
      await page.emulateMedia({ colorScheme: 'light' })
      for (let looks = 0; looks < 100 && (await background()) !== 'rgb(255, 255, 255)'; looks++) await page.waitForTimeout(50)
      t.equal(await background(), 'rgb(255, 255, 255)', 'it follows while it is open')
    },
    { colorScheme: 'dark' },
  )
})
