import { useEffect, useRef, useState } from 'preact/hooks'
import type { Session } from '../api/types.ts'
import { preload } from '../pages/lazy.tsx'
import { pages } from '../pages/registry.ts'
import { Button } from '../parts/form/button.tsx'
import { Mark } from '../parts/layout/icon.tsx'
import { PageHead } from '../parts/layout/page-head.tsx'
import { Empty } from '../parts/notice/empty.tsx'
import { CriticalAlarms } from '../parts/notice/open-alarms.tsx'
import { Toasts } from '../parts/notice/toasts.tsx'
import { Link } from '../router/link.tsx'
import { navigate, route } from '../router/router.ts'
import { narrow } from '../state/media.ts'
import { useNames } from '../state/names.ts'
import { AlarmBar } from './alarm.tsx'
import { Finder } from './finder.tsx'
import { FIND, useShortcut } from './keys.ts'
import { Menu } from './menu.tsx'
import { Nav, NavKey } from './nav.tsx'
import { ShortcutSheet } from './shortcuts.tsx'
import { Upgraded, upgraded } from './upgrade.tsx'

/** Time after a sign-in until the other pages are loaded, in milliseconds: the first one and its figures are there by then. A choice of this project. */
const PRELOAD_MS = 3000

/** The frame of every page: navigation at the side, on a phone below a Menu button, and the page itself. */
export function Shell({ session }: { readonly session: Session }) {
  const [sheet, setSheet] = useState<'menu' | 'keys' | 'find' | null>(null)
  const main = useRef<HTMLElement>(null)
  const visiblePages = pages.filter(({ shown: predicate }) => predicate?.(session) ?? true)
  const [first, ...rest] = route.value.parts
  const page = first === undefined ? visiblePages[0] : visiblePages.find(({ path }) => path === first)
  const title = page?.title ?? 'Not here'
  const arrived = useRef(page)
  useShortcut('?', 'This list', () => setSheet('keys'))
  useShortcut(FIND, 'Find anything, also from a field', () => setSheet('find'))
  useNames(session)

  useEffect(() => {
    const timer = window.setTimeout(() => void preload(), PRELOAD_MS)
    return () => window.clearTimeout(timer)
  }, [])
  useEffect(() => {
    document.title = `${title} · Staking`
  }, [title])
  useEffect(() => {
    // A page that is gone to begins at its title, as a loaded one would; steps within it are its own affair.
    if (arrived.current === page) return
    arrived.current = page
    if (first === page?.path && rest.length === 0) main.current?.querySelector('h1')?.focus({ preventScroll: true })
  })

  const nav = (
    <Nav
      session={session}
      pages={visiblePages}
      current={page}
      onGo={() => setSheet(null)}
      onHelp={() => setSheet('keys')}
      onFind={() => setSheet('find')}
    />
  )
  return (
    <div class="app">
      {visiblePages.map((each) => (
        <NavKey key={each.path} page={each} go={navigate} />
      ))}
      {narrow.value ? (
        <header class="topbar">
          <span class="brand">
            <Mark />
            Staking service
          </span>
          <Button kind="quiet" icon="menu" label="Menu" onClick={() => setSheet('menu')} />
        </header>
      ) : (
        <aside class="side" aria-label="Navigation">
          {nav}
        </aside>
      )}
      <main class="page" ref={main}>
        <CriticalAlarms session={session} />
        <AlarmBar />
        {upgraded.value ? <Upgraded /> : null}
        {page ? <page.view key={page.path} session={session} rest={rest} /> : <Nowhere />}
      </main>
      <Toasts />
      {sheet === 'menu' && narrow.value ? <Menu onClose={() => setSheet(null)}>{nav}</Menu> : null}
      {sheet === 'find' ? <Finder pages={visiblePages} onClose={() => setSheet(null)} /> : null}
      {sheet === 'keys' ? <ShortcutSheet onClose={() => setSheet(null)} /> : null}
    </div>
  )
}

function Nowhere() {
  return (
    <>
      <PageHead title="Not here" />
      <Empty title="There is no such page" action={<Link to="./">Go to the first one</Link>}>
        The address may be of another version of this page, or of one that your token may not see.
      </Empty>
    </>
  )
}
