// The folders on a page of the library, with what can be done with them.

import { EllipsisVertical, Folder, FolderInput, PencilLine, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { isEmptyFolder, type MediaFolder } from '../model/folders.ts'
import { Button } from '../ui/button.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { DeleteFolder, MoveDialog, RenameFolder } from './folder-dialogs.tsx'
import styles from './media.module.css'
import type { Library } from './use-library.ts'

type Task = 'rename' | 'move' | 'delete'

export function FolderList({ library }: { readonly library: Library }) {
  const t = useTranslations('media')
  if (library.shownFolders.length === 0) return null
  return (
    <ul className={styles.folders} aria-label={t('folders')}>
      {library.shownFolders.map(folder => (
        <li key={folder.id} className={styles.folder}>
          <AriaButton
            className={styles.folderButton!}
            onPress={() => library.change({ folder: folder.id, q: undefined })}
          >
            <Folder aria-hidden="true" />
            <span className={styles.fileTexts}>
              <span className={styles.fileName}>{folder.name}</span>
              <span className={styles.fileNote}>
                {isEmptyFolder(folder) ? t('emptyFolder') : t('content', contentOf(folder))}
              </span>
            </span>
          </AriaButton>
          <FolderMenu library={library} folder={folder} />
        </li>
      ))}
    </ul>
  )
}

const contentOf = ({ folderCount, fileCount }: MediaFolder) => ({ folders: folderCount, files: fileCount ?? 0 })

function FolderMenu({ library, folder }: { readonly library: Library; readonly folder: MediaFolder }) {
  const t = useTranslations('media')
  const [task, setTask] = useState<Task | null>(null)
  const { updateFolders, deleteFolders } = library.rights
  if (!updateFolders && !deleteFolders) return null
  const close = () => setTask(null)
  return (
    <>
      <Menu
        label={t('folderMenu', { name: folder.name })}
        trigger={
          <Button look="quiet" isSmall isIcon aria-label={t('folderMenu', { name: folder.name })}>
            <EllipsisVertical aria-hidden="true" />
          </Button>
        }
      >
        {updateFolders && (
          <>
            <MenuItem icon={<PencilLine aria-hidden="true" />} onAction={() => setTask('rename')}>
              {t('rename')}
            </MenuItem>
            <MenuItem icon={<FolderInput aria-hidden="true" />} onAction={() => setTask('move')}>
              {t('move')}
            </MenuItem>
          </>
        )}
        {deleteFolders && (
          <MenuItem icon={<Trash2 aria-hidden="true" />} isDangerous onAction={() => setTask('delete')}>
            {t('delete')}
          </MenuItem>
        )}
      </Menu>
      {task === 'rename' && <RenameFolder folder={folder} onClose={close} />}
      {task === 'move' && <MoveDialog library={library} folderIds={[folder.id]} onClose={close} />}
      {task === 'delete' && <DeleteFolder folder={folder} onClose={close} />}
    </>
  )
}
