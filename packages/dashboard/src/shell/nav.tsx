import { useComputed } from '@preact/signals'
import type { Session } from '../api/types.ts'
import type { Page } from '../pages/page.ts'
import { Button } from '../parts/form/button.tsx'
import { Select } from '../parts/form/select.tsx'
import { Icon, Mark } from '../parts/layout/icon.tsx'
import { Time, ZoneToggle } from '../parts/value/time.tsx'
import { Link } from '../router/link.tsx'
import { account, chooseAccount } from '../state/account.ts'
import { type Theme, theme } from '../state/preferences.ts'
import { signOut } from '../state/session.ts'
import { useShortcut } from './keys.ts'

const THEMES: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: 'System colours' },
  { value: 'light', label: 'Light colours' },
  { value: 'dark', label: 'Dark colours' },
]

/** Shows the content of the sidebar, and on a phone of the sheet of the Menu button. `onGo` is called when a page was chosen. */
export function Nav({
  session,
  pages,
  current,
  onGo,
  onHelp,
  onFind,
}: {
  readonly session: Session
  readonly pages: readonly Page[]
  readonly current: Page | undefined
  readonly onGo?: () => void
  readonly onHelp: () => void
  readonly onFind: () => void
}) {
  const chosen = useComputed(() => account.value ?? '')
  return (
    <>
      <div class="brand">
        <Mark />
        Staking service
      </div>
      <button type="button" class="btn find" onClick={onFind}>
        <Icon name="search" />
        <span>Find anything</span>
        <kbd>Ctrl K</kbd>
      </button>
      {session.kind === 'operator' && session.accounts.length > 1 ? (
        <Select
          label="Account"
          whole
          value={chosen.value}
          options={[{ value: '', label: 'All accounts' }, ...session.accounts.map(({ id, name }) => ({ value: id, label: name }))]}
          onValue={(id) => chooseAccount(id === '' ? null : id)}
        />
      ) : null}
      <nav class="nav" aria-label="Pages">
        {pages.map((page) => (
          <Link key={page.path} to={page.path} aria-current={page === current ? 'page' : undefined} {...(onGo ? { onClick: onGo } : {})}>
            <Icon name={page.icon} />
            {page.title}
          </Link>
        ))}
      </nav>
      <div class="side-foot small">
        <div class="side-choices">
          <ZoneToggle />
          <Button kind="quiet" label="Keyboard shortcuts" onClick={onHelp}>
            ?
          </Button>
        </div>
        <Select
          label="Colours"
          whole
          value={theme.value}
          options={THEMES}
          onValue={(value) => {
            theme.value = value
          }}
        />
        <dl>
          <dt class="muted">Signed in with</dt>
          <dd class="break">{session.token.name}</dd>
          <dd class="muted">
            {session.kind === 'operator' ? 'operator token' : `token of ${session.account?.name ?? 'an account'}`}
            {session.token.expires === null ? null : (
              <>
                , until <Time at={session.token.expires} form="date" />
              </>
            )}
          </dd>
        </dl>
        <Button onClick={signOut}>Sign out</Button>
      </div>
    </>
  )
}

/** `g` and the page's key go there. */
export function NavKey({ page, go }: { readonly page: Page; readonly go: (path: string) => void }) {
  useShortcut(`g ${page.key}`, page.title, () => go(page.path))
  return null
}
