// Asks before files are deleted, and says where one of them is used.

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { deleteFile } from '../api/media.ts'
import { useModel } from '../app/model-context.tsx'
import { mediaRightsOf } from '../model/media-rights.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice, Progress } from '../ui/notice.tsx'
import { FileUses } from './file-uses.tsx'
import { useMediaTask } from './use-media-task.ts'

interface DeleteProps {
  readonly ids: readonly number[]
  readonly onClose: () => void
  readonly onDeleted: () => void
}

export function DeleteFiles({ ids, onClose, onDeleted }: DeleteProps) {
  const t = useTranslations('media')
  const words = useTranslations('words')
  const { findOne } = mediaRightsOf(useModel().actions)
  const { isBusy, fault, run } = useMediaTask()
  const [done, setDone] = useState(0)
  const remove = async () => {
    const removeAll = async () => {
      for (const id of ids.slice(done)) {
        await deleteFile(id)
        setDone(count => count + 1)
      }
    }
    if (!(await run(removeAll, t('deleted', { count: ids.length })))) return
    onDeleted()
    onClose()
  }
  return (
    <Dialog
      title={t('deleteTitle', { count: ids.length })}
      isOpen
      onClose={onClose}
      isAlert
      actions={
        <>
          <Button autoFocus isDisabled={isBusy} onPress={onClose}>
            {words('cancel')}
          </Button>
          <Button look="danger" isDisabled={isBusy} onPress={() => void remove()}>
            {t('delete')}
          </Button>
        </>
      }
    >
      {fault !== null && <Notice tone="bad">{fault}</Notice>}
      <p>{t('deleteText', { count: ids.length })}</p>
      {ids.length === 1 && findOne && <FileUses id={ids[0]!} />}
      {isBusy && ids.length > 1 && <Progress label={t('files')} done={done} total={ids.length} />}
    </Dialog>
  )
}
