import t from 'tap'
import { frame } from './screenshots/shots.ts'
import { browserOfAll, lacking } from './support/chromium.ts'
import { answer, cut, inaccessible, signIn, visit } from './support/page.ts'
import { MONAD_JAILED } from './support/protocols.ts'
import { service } from './support/service.ts'
import { busyTime, TASKS } from './support/trace.ts'

const PAGES = [
  'overview',
  'positions',
  'keys',
  'activity',
  'transactions',
  'webhooks',
  'protocols',
  'protocols/evm-three/143',
  'inspector',
  'session',
]
/** A window of 1440 by 900 at 200 %; a phone; and one of 1280 at 400 %, where WCAG 1.4.10 wants no second direction of scrolling. */
const WINDOWS = [
  { width: 720, height: 450 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
]
/** What the main thread may take from nothing to a page that is used, in milliseconds of the processor: others may be at work on this machine. */
const MOST_BUSY_MS = 1000

t.test('all pages in a browser', { skip: lacking }, async (t) => {
  const [browser, { dashboard }] = await Promise.all([browserOfAll(), service(t)])

  await t.test('are whole at 200 % and 400 % and on a phone, and say everything in the colours that their reader forces', (t) =>
    visit(t, browser, async (page) => {
      await frame(page)
      await answer(page, 'protocols*', { body: [MONAD_JAILED] })
      await signIn(page, `${dashboard}session`, 'operator')
      for (const path of PAGES) {
        await page.evaluate((to) => {
          history.pushState(null, '', to)
          dispatchEvent(new PopStateEvent('popstate'))
        }, `${dashboard}${path}?account=acme`)
        await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
        await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
        await page.setViewportSize({ width: 1440, height: 900 })
        await page.emulateMedia({ forcedColors: 'active' })
        const outline = await page.locator('nav a[aria-current="page"]').evaluate((link) => getComputedStyle(link).outlineStyle)
        t.equal(outline, 'solid', `${path}: where one is, is not told by a tint`)
        const pictures = await page
          .locator('main .icon')
          .evaluateAll((icons) => icons.map((icon) => [getComputedStyle(icon).color, getComputedStyle(icon.parentElement ?? icon).color]))
        for (const [own, around] of pictures) t.equal(own, around, `${path}: a picture is as its words`)
        await page.emulateMedia({ forcedColors: 'none' })
        for (const size of WINDOWS) {
          await page.setViewportSize(size)
          t.same(await cut(page), [], `${path} at ${size.width} px`)
        }
      }
      await page.getByText('A new customer').waitFor()
      await page.getByText('svc tokens create --account newco').waitFor()
      t.same(await inaccessible(page), [])
    }),
  )

  await t.test('are there at once: the first takes less than a second of the processor', (t) =>
    visit(t, browser, async (page) => {
      await frame(page)
      await browser.startTracing(page, { categories: TASKS })
      await signIn(page, `${dashboard}overview`, 'operator')
      await page.getByText('rpc-1.example.net').first().waitFor()
      const busy = busyTime(await browser.stopTracing())
      t.ok(
        busy > 0 && busy < MOST_BUSY_MS,
        `from nothing to a page with its figures, the token typed on the way: ${busy.toFixed(0)} ms of the processor`,
      )
      t.comment(`the first page took ${busy.toFixed(0)} ms of the processor`)
    }),
  )
})
