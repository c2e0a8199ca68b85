// Exports all entries of a list, as it is filtered and sorted, with the columns that are shown.

import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { listEntries } from '../../api/entries.ts'
import { useErrorText } from '../../app/error-text.ts'
import { useModel } from '../../app/model-context.tsx'
import type { ContentType, Entry } from '../../model/types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice, Progress } from '../../ui/notice.tsx'
import { useColumnLabel } from './column-label.ts'
import type { EntryList } from './use-entry-list.ts'

interface ExportProps {
  readonly type: ContentType
  readonly list: EntryList
}

/** The largest page of the API. */
const pageSize = 100

export function ExportButton({ type, list }: ExportProps) {
  const t = useTranslations('export')
  const words = useTranslations('words')
  const errorText = useErrorText()
  const labelOf = useColumnLabel()
  const model = useModel()
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number } | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [stopper, setStopper] = useState<AbortController | null>(null)

  const read = async (signal: AbortSignal): Promise<readonly Entry[]> => {
    const entries: Entry[] = []
    for (let page = 1; ; page++) {
      const parameters = { ...list.parameters, pagination: { page, pageSize } }
      const read = await listEntries({ type, model }, parameters, signal)
      entries.push(...read.entries)
      setProgress({ done: entries.length, total: read.total })
      if (page >= read.pageCount) return entries
    }
  }
  const run = async () => {
    const controller = new AbortController()
    setStopper(controller)
    setFault(null)
    setProgress({ done: 0, total: list.page?.total ?? 0 })
    try {
      const entries = await read(controller.signal)
      const { writeCsv } = await import('./csv.ts')
      const columns = list.shown.map(column => ({ column, label: labelOf(column) }))
      save(writeCsv({ entries, columns, type, model }), `${type.slug}.csv`)
      setProgress(null)
    } catch (error) {
      if (controller.signal.aborted) setProgress(null)
      else setFault(errorText(error))
    }
  }
  const close = () => {
    stopper?.abort()
    setProgress(null)
    setFault(null)
  }
  return (
    <>
      <Button
        look="quiet"
        isIcon
        aria-label={t('open')}
        isDisabled={!list.page?.entries.length}
        onPress={() => void run()}
      >
        <Download aria-hidden="true" />
      </Button>
      <Dialog
        title={t('title')}
        isOpen={progress !== null}
        onClose={close}
        isAlert
        actions={<Button onPress={close}>{fault === null ? words('cancel') : words('close')}</Button>}
      >
        {fault !== null ? (
          <Notice tone="bad">{fault}</Notice>
        ) : (
          <Progress label={t('progress')} done={progress?.done ?? 0} total={progress?.total ?? 1} />
        )}
      </Dialog>
    </>
  )
}

/** Hands a text to the user as a file. */
function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
