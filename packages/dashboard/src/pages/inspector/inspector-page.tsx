import { useState } from 'preact/hooks'
import { Button } from '../../parts/form/button.tsx'
import { PageHead } from '../../parts/layout/page-head.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { Address } from '../../parts/value/address.tsx'
import { openInspectorate } from '../../realm/inspectorate.ts'
import { Inspector } from './inspector.tsx'
import { type SavedFile, saveOfflineFile } from './offline-file.ts'

/** The Inspector within the dashboard: the same, and how to have it as a file. */
export function InspectorPage() {
  const [saving, setSaving] = useState(false)
  const [saved, setSaved] = useState<SavedFile | { readonly fault: string } | null>(null)
  const save = async () => {
    setSaving(true)
    setSaved(
      await saveOfflineFile(document.baseURI).catch((error: unknown) => ({
        fault: error instanceof Error ? error.message : String(error),
      })),
    )
    setSaving(false)
  }
  return (
    <>
      <PageHead
        title="Inspector"
        meta="Nothing leaves this page."
        actions={
          <Button busy={saving} onClick={save}>
            Save for an offline machine
          </Button>
        }
      />
      {saved && 'fault' in saved ? (
        <Note kind="bad" alert>
          {saved.fault}
        </Note>
      ) : null}
      {saved && 'digest' in saved ? (
        <Note kind="ok" alert>
          {saved.name} is saved. Compare its SHA-256 with what <code>svc inspector</code> prints on the server:{' '}
          <Address text={saved.digest} what="SHA-256" whole />
        </Note>
      ) : null}
      {window.isSecureContext ? null : (
        <Note kind="warn">
          This page came over plain http, so whoever is on the way could have changed it. For a transaction that matters use the saved file,
          on a machine of your own.
        </Note>
      )}
      <Inspector open={openInspectorate} />
    </>
  )
}
