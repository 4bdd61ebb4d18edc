;;; check.el --- The server in Emacs  -*- lexical-binding: t -*-

;; Run by `editor.emacs' as `emacs --batch -Q -l check.el SERVER ROOT CONFIG': SERVER is the Python that runs ConfLens,
;; CONFIG what we give to users (`server/editors/emacs').  As in `check.lua', every check waits for what the
;; editor itself holds: diagnostics of Flymake, texts of ElDoc, overlays, completions, buffers.

;;; Code:

(defvar check-arguments command-line-args-left)
(setq command-line-args-left nil)
(defvar check-root (file-name-as-directory (nth 1 check-arguments)))
(defvar check-failed 0)
(defvar check-started (float-time))

(load (nth 2 check-arguments) nil t)
(setq conflens-command (list (car check-arguments) "-m" "conflens" "serve" "--stdio")
      eglot-confirm-server-edits nil
      eglot-autoshutdown nil
      eglot-sync-connect t
      eglot-connect-timeout 60
      make-backup-files nil
      create-lockfiles nil)

(setq-default eglot-workspace-configuration '(:conflens (:annotations (:show "all"))))

(defun check-say (format &rest arguments)
  "Print a line of FORMAT with ARGUMENTS and the time."
  (princ (format "%5.1f s  %s\n" (- (float-time) check-started) (apply #'format format arguments))))

(defun check (what probe)
  "Wait until PROBE returns non-nil; print WHAT, and the text that it returned."
  (let ((end (+ (float-time) 15)) seen)
    (while (not (or (setq seen (condition-case err (funcall probe) (error (ignore err))))
                    (> (float-time) end)))
      (accept-process-output nil 0.02))
    (unless seen (setq check-failed (1+ check-failed)))
    (check-say "%s  %s%s" (if seen "ok  " "FAIL") what
               (if (stringp seen) (concat ": " (string-replace "\n" " | " seen)) ""))))

(defun check-open (name)
  "Show the file NAME of the project and have eglot manage it."
  (switch-to-buffer (find-file-noselect (expand-file-name name check-root)))
  (unless (eglot-current-server)
    (apply #'eglot (eglot--guess-contact)))
  (eglot--maybe-activate-editing-mode)
  (current-buffer))

(defun check-go (text &optional before)
  "Go to TEXT, to its end or if BEFORE to its start."
  (goto-char (point-min))
  (search-forward text)
  (when before (goto-char (match-beginning 0))))

(defun check-diagnostic (code)
  "Return the text of a diagnostic with CODE in this buffer."
  (accept-process-output nil 0.2)
  (flymake-start)
  (seq-some (lambda (found)
              (let ((text (flymake-diagnostic-text found)))
                (and (string-search code text) text)))
            (flymake-diagnostics)))

(defun check-hover (text)
  "Return what ElDoc is told at TEXT."
  (check-go text)
  (backward-char 2)
  (let (told (end (+ (float-time) 3)))
    (eglot-hover-eldoc-function (lambda (found &rest _) (setq told (or found ""))))
    (while (not (or told (> (float-time) end))) (accept-process-output nil 0.02))
    (and told (substring-no-properties told))))

(defun check-hint (text)
  "Return the hints that are drawn in the line of TEXT."
  (eglot--update-hints-1 (point-min) (point-max))
  (accept-process-output nil 0.2)
  (check-go text)
  (mapconcat (lambda (overlay)
               (substring-no-properties (or (overlay-get overlay 'before-string)
                                            (overlay-get overlay 'after-string) "")))
             (reverse (seq-filter (lambda (overlay) (overlay-get overlay 'eglot--inlay-hint))
                                  (overlays-in (line-beginning-position) (1+ (line-end-position)))))))

(defun check-has (text part)
  "Return TEXT if PART is in it."
  (and text (string-search part text) text))

(defconst check-sources "src/main/java/org/example/parcel/")
(check-say "Emacs %s, eglot" emacs-version)

(let* ((cache (check-open (concat check-sources "Cache.java")))
       (delivery (check-open (concat check-sources "Delivery.java")))
       (keys (check-open (concat check-sources "Keys.java")))
       (properties (check-open "conf/parcel.properties"))
       (server (eglot-current-server)))
  (switch-to-buffer cache)
  (check "an option that is read for nothing is a diagnostic"
         (lambda () (check-diagnostic "cache.statistics has no effect")))
  (check "a hint shows the name behind a constant"
         (lambda () (check-has (check-hint "Keys.CACHE_ENTRIES") "cache.entries")))
  (check "a hover tells name, default and where documented"
         (lambda () (let ((found (check-hover "CACHE_ENTRIES")))
                      (and (check-has found "Default 10000") (check-has found "options.md")))))
  (switch-to-buffer delivery)
  (check "differing defaults are a diagnostic"
         (lambda () (check-diagnostic "defaults to 5 here")))
  (check "a read leads to its declaration"
         (lambda ()
           (check-go "Keys.RETRY_LIMIT, 5" t)
           (forward-char 6)
           (let ((found (xref-backend-definitions 'eglot "LSP identifier at point")))
             (and found (xref-item-summary (car found))))))
  (check "and the option to its reads"
         (lambda ()
           (check-go "Keys.RETRY_LIMIT, 5" t)
           (forward-char 6)
           (let ((found (xref-backend-references 'eglot "LSP identifier at point")))
             (and (>= (length found) 2) (format "%d places" (length found))))))
  (check "the command for an option's flows opens its page"
         (lambda ()
           (switch-to-buffer delivery)
           (check-go "Keys.RETRY_LIMIT, 5" t)
           (forward-char 6)
           (conflens-flows)
           (accept-process-output nil 0.3)
           (seq-some (lambda (buffer)
                       (with-current-buffer buffer
                         (goto-char (point-min))
                         (and (string-match-p "retry\\.limit\\.md" (buffer-name))
                              (looking-at ".*retry.limit") (match-string 0))))
                     (buffer-list))))
  (check "and the list of options is opened as a page"
         (lambda ()
           (switch-to-buffer delivery)
           (conflens-options)
           (accept-process-output nil 0.3)
           (seq-some (lambda (buffer)
                       (with-current-buffer buffer
                         (goto-char (point-min))
                         (and (looking-at "# Options by sensitivity") (match-string 0))))
                     (buffer-list))))
  (switch-to-buffer keys)
  (check-go "RETRY_LIMIT")
  (let ((action (seq-find (lambda (found)
                            (equal (plist-get found :title)
                                   "Mark retry.limit as not performance-sensitive"))
                          (eglot-code-actions (point) (point)))))
    (when action (eglot-execute server action)))
  (check "a code action writes a verdict into the workspace file"
         (lambda ()
           (let ((buffer (get-file-buffer (expand-file-name ".conflens.toml" check-root))))
             (check-has (and buffer (with-current-buffer buffer (buffer-string)))
                        "[verdict.\"retry.limit\"]"))))

  (switch-to-buffer properties)
  (check "a config file says what its keys are"
         (lambda () (check-has (check-hover "store.folder") "Folder that holds the journal")))
  (goto-char (point-max))
  (insert "retry.limt=4\n")
  (eglot--signal-textDocument/didChange)
  (check "a slip in a key is a diagnostic" (lambda () (check-diagnostic "Did you mean")))
  (check-go "retry.limt")
  (let ((action (seq-find (lambda (found) (string-search "retry.limit" (plist-get found :title)))
                          (eglot-code-actions (line-beginning-position) (line-end-position) "quickfix"))))
    (when action (eglot-execute server action)))
  (eglot--signal-textDocument/didChange)
  (check "and its fix mends it"
         (lambda () (and (check-has (buffer-string) "retry.limit=4") "retry.limit=4")))
  (check "and ends the diagnostic" (lambda () (not (check-diagnostic "Did you mean"))))
  (goto-char (point-max))
  (insert "retry.de")
  (eglot--signal-textDocument/didChange)
  (check "a key is completed"
         (lambda ()
           (goto-char (point-max))
           (completion-at-point)
           (and (string-match "^retry\\.delay\\.ms.*$" (buffer-string))
                (match-string 0 (buffer-string)))))
  ;; This editor does not show changes before it makes them, so the config file, which is to be confirmed, stays.
  (switch-to-buffer keys)
  (check-go "\"retry.limit")
  (eglot-rename "retry.count")
  (check "a name is renamed where it is surely the option"
         (lambda ()
           (and (check-has (buffer-string) "RETRY_LIMIT = \"retry.count\"")
                (check-has (with-current-buffer properties (buffer-string)) "retry.limit=4")
                "retry.count")))

  (make-directory (expand-file-name ".conflens/profiles" check-root) t)
  (write-region (concat "org/example/parcel/Main.main;org/example/parcel/Delivery.deliver 90\n"
                        "org/example/parcel/Main.main;org/example/parcel/Cache.label 10\n")
                nil (expand-file-name ".conflens/profiles/slow.collapsed" check-root) nil 'quiet)
  (switch-to-buffer delivery)
  (check "a profile that appears in the project is drawn at what it found hot"
         (lambda () (check-has (check-hint "boolean deliver") "90 %")))

  (switch-to-buffer keys)
  (check-go "\"cache.entries\"")
  (replace-match "\"retry.größe\"" t t)
  (eglot--signal-textDocument/didChange)
  (switch-to-buffer cache)
  (check "an edit of the constant changes the hint in another file"
         (lambda () (check-has (check-hint "Keys.CACHE_ENTRIES") "retry.größe")))
  (let ((process (jsonrpc--process server)))
    ;; What `eglot-shutdown' sends; that one kills a server which takes longer than a tenth of a second to go.
    (jsonrpc-request server :shutdown eglot--{} :timeout 10)
    (jsonrpc-notify server :exit eglot--{})
    (check "the server stops by itself"
           (lambda () (and (not (process-live-p process))
                           (eql (process-exit-status process) 0)
                           "exit code 0")))))

(check-say (if (zerop check-failed) "editor test passed" "editor test FAILED: %d checks") check-failed)
(kill-emacs (if (zerop check-failed) 0 1))
;;; check.el ends here
