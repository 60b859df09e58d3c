import { useMemo, useState } from 'preact/hooks'
import type { ApiKey } from '../../api/keys.ts'
import { Button } from '../../parts/form/button.tsx'
import { Search } from '../../parts/form/search.tsx'
import { Select } from '../../parts/form/select.tsx'
import { PageHead } from '../../parts/layout/page-head.tsx'
import { pathTo } from '../../router/path.ts'
import { navigate, route, setQuery } from '../../router/router.ts'
import { useShortcut } from '../../shell/keys.ts'
import { account } from '../../state/account.ts'
import { tell } from '../../state/toast.ts'
import { count } from '../../text/amount.ts'
import { harmless } from '../../text/secret.ts'
import type { PageProps } from '../page.ts'
import { matching, SHOWN, shownOf } from './condition.ts'
import { KeyDialogs, type KeyQuestion } from './key-dialogs.tsx'
import { type KeyActions, KeyPanel } from './key-panel.tsx'
import { KeysList } from './keys-list.tsx'
import { useKeys } from './use-keys.ts'

/** The keys by which programs ask the service: looked for, made, changed, replaced, turned off, deleted. */
export function KeysPage({ session, rest }: PageProps) {
  const operator = session.kind === 'operator'
  const of = operator ? account.value : null
  const keys = useKeys(of)
  const [request, setAsked] = useState<KeyQuestion | null>(null)
  const { query } = route.value
  const text = query.get('q') ?? ''
  const view = shownOf(query.get('state'))
  const all = keys.list?.keys
  const none = all?.length === 0
  const names = useMemo(() => new Map(session.accounts.map(({ id, name }) => [id, name])), [session.accounts])
  const nameOf = (id: string) => names.get(id) ?? id
  const several = operator && session.accounts.length > 1 && of === null
  const matches = useMemo(() => matching(all ?? [], { text, shown: view, now: Date.now() }, nameOf), [all, text, view, names])
  const [open = null] = rest
  const goTo = (ulid: string | null, replace = false) =>
    navigate(pathTo(ulid === null ? ['keys'] : ['keys', ulid], Object.fromEntries(route.peek().query)), { replace })
  const create = () => setAsked({ kind: 'create' })
  useShortcut('c', 'Create a key', create)

  const actions: KeyActions = {
    onChange: (key) => setAsked({ kind: 'change', key }),
    onRoll: (key) => setAsked({ kind: 'roll', key }),
    onDelete: (key) => setAsked({ kind: 'delete', key }),
    async onActive(key, active) {
      const turn = async (on: boolean) => {
        await keys.change(key.ulid, { active: on })
      }
      await turn(active)
      tell({ text: `“${key.name}” is turned ${active ? 'on' : 'off'}.`, ...(active ? {} : { undo: () => turn(true) }) })
    },
  }
  return (
    <>
      <PageHead
        title="Keys"
        meta={all ? metaOf(all, matches, keys.list?.complete === true, mostOf(session.accounts, of)) : null}
        actions={
          none ? null : (
            <Button kind="primary" icon="plus" onClick={create}>
              Create key
            </Button>
          )
        }
      />
      <div class="toolbar" hidden={none}>
        <Search label="Name, account or start of a key" value={text} onValue={(typed) => setQuery({ q: harmless(typed) })} />
        <Select label="State" value={view} options={SHOWN} onValue={(chosen) => setQuery({ state: chosen === 'all' ? null : chosen })} />
      </div>
      <KeysList
        keys={keys}
        found={matches}
        nameOf={several ? nameOf : null}
        open={matches.some(({ ulid }) => ulid === open) ? open : null}
        onOpen={(ulid) => goTo(ulid, open !== null)}
        onCreate={create}
      />
      {open === null ? null : (
        <KeyPanel
          ulid={open}
          known={all?.find(({ ulid }) => ulid === open)}
          nameOf={operator ? nameOf : null}
          actions={actions}
          onClose={() => {
            goTo(null)
            focusList()
          }}
          onMove={(step) => {
            const next = matches[matches.findIndex(({ ulid }) => ulid === open) + step]
            if (next) goTo(next.ulid, true)
          }}
        />
      )}
      <KeyDialogs
        asked={request}
        session={session}
        account={of}
        keys={keys}
        onAsk={setAsked}
        onGone={() => {
          goTo(null, true)
          focusList()
        }}
      />
    </>
  )
}

/** Moves the focus to where the reader goes on after closing what he looked at: as long as a dialog is open, nothing else takes the focus. */
function focusList(): void {
  requestAnimationFrame(() => {
    const place = document.querySelector<HTMLElement>('main [role="grid"]') ?? document.querySelector<HTMLElement>('main h1')
    place?.focus({ preventScroll: true })
  })
}

/** Most keys that an account may have, or all together. */
function mostOf(accounts: PageProps['session']['accounts'], of: string | null): number {
  return accounts.reduce((sum, { id, max_keys }) => (of === null || of === id ? sum + max_keys : sum), 0)
}

function metaOf(all: readonly ApiKey[], matches: readonly ApiKey[], complete: boolean, most: number): string {
  if (!complete) return `${count(matches.length)} of the oldest ${count(all.length)}`
  return matches.length === all.length ? `${count(all.length)} of ${count(most)}` : `${count(matches.length)} of ${count(all.length)} shown`
}
