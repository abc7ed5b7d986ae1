"""The pages, tasks and commands of the site in words: everything from where an act can be done.

By the name that each has within its part (`coach.lib.places`). An address that another page sends
to is called like that page: people know no others.
"""

from __future__ import annotations

from typing import TypeAlias

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

Words: TypeAlias = str | Promise
_Pages: TypeAlias = tuple[tuple[Words, str], ...]

_PORTAL: _Pages = (
    (pgettext_lazy("place", "first page"), "home,hide_steps"),
    (pgettext_lazy("place", "about this site"), "about"),
    (pgettext_lazy("place", "sample report"), "sample"),
    (pgettext_lazy("place", "choosing the language"), "language"),
    (pgettext_lazy("place", "administration"), "administration"),
    (pgettext_lazy("place", "privacy"), "privacy,consent,families,end_sign_ins"),
    (pgettext_lazy("place", "downloading one’s own data"), "own_data,own_archive"),
    (pgettext_lazy("place", "erasing one’s own data"), "erase"),
    (pgettext_lazy("place", "profile"), "profile"),
    (pgettext_lazy("place", "keys"), "keys,switch_keys"),
    (pgettext_lazy("place", "deleting a take"), "delete_take,delete_takes"),
    (pgettext_lazy("place", "receipt of a deletion"), "receipt,receipt_file"),
    (pgettext_lazy("place", "what was typed and not sent"), "begun,kept,discard_kept"),
)
_FEEDBACK: _Pages = (
    (pgettext_lazy("place", "list of takes"), "takes"),
    (pgettext_lazy("place", "a talk and its takes"), "talk"),
    (pgettext_lazy("place", "new rehearsal"), "new,check_upload"),
    (pgettext_lazy("place", "recording in the browser"), "record,look,use_take"),
    (pgettext_lazy("place", "an upload that was cut off"), "cut_off"),
    (pgettext_lazy("place", "waiting for the analysis"), "analysing,analysing_now,retry"),
    (
        pgettext_lazy("place", "a take and its report"),
        (
            "report,pdf,captions,send,withdraw,read_now,ease,part,correct,camera,"
            "ask,undo_ask,answer,dispute,undo_dispute,redo_dispute"
        ),
    ),
)
_PRACTICE: _Pages = (
    (pgettext_lazy("place", "own plan"), "plan,change_plan,plan_of"),
    (pgettext_lazy("place", "progress"), "progress"),
    (pgettext_lazy("place", "exercises"), "exercises,exercise,exercise_done"),
    (pgettext_lazy("place", "assessing oneself"), "self_assess,share_self"),
    (
        pgettext_lazy("place", "doing a stretch again"),
        "choose_span,span,span_now,hand_in,once_more,delete_span",
    ),
)
_REHEARSALS: _Pages = (
    (pgettext_lazy("place", "sending a recording"), "tus,tus_upload"),
    (pgettext_lazy("place", "an upload that was cut off"), "discard_upload"),
    (pgettext_lazy("place", "playing a recording"), "media,poster"),
)
_GUESTS: _Pages = (
    (pgettext_lazy("place", "inviting guests"), "invite,make,share,let_coach,end,remove"),
    (
        pgettext_lazy("place", "a guest’s visit"),
        "door,visit,write,take_back,media,poster,captions",
    ),
)
_NOTICES: _Pages = (
    (pgettext_lazy("place", "list of news"), "list,all_seen"),
    (pgettext_lazy("place", "choosing mails"), "mails"),
)
_REVIEW: _Pages = (
    (pgettext_lazy("place", "queue"), "queue,next,claim"),
    (pgettext_lazy("place", "coaches of a cohort"), "team"),
    (pgettext_lazy("place", "takes that were answered"), "released"),
    (pgettext_lazy("place", "kept comments"), "comments,add_comment,edit_comment"),
    (
        pgettext_lazy("place", "review desk"),
        (
            "desk,give_back,renew,hand_over,add_item,verdict,replace,undo,word,unsent,takes,"
            "take_back,correct,drop,retract,strike,correct_word,undo_correction,add_note,"
            "change_note,remove_note,flag,settle_flag,ask,go_on,answer,find_comments,use_comment"
        ),
    ),
    (pgettext_lazy("place", "what goes out"), "summary,release"),
    (pgettext_lazy("place", "levels of the qualities"), "rubric,reopen_rubric,rated"),
    (pgettext_lazy("place", "second opinions"), "seconds,take_second"),
    (pgettext_lazy("place", "a second opinion"), "opinion,opinion_rubric,opinion_decide,give_up"),
    (pgettext_lazy("place", "two opinions side by side"), "compare,settle"),
    (pgettext_lazy("place", "agreement of coaches"), "agreement,agreement_csv"),
    (pgettext_lazy("place", "calibration clips"), "clips,begin_clip,make_clip,drop_clip"),
)
_CURATION: _Pages = (
    (pgettext_lazy("place", "list of rules"), "rules"),
    (pgettext_lazy("place", "a rule"), "rule,begin,retire,mute,unmute,version,export_rule"),
    (pgettext_lazy("place", "writing a rule"), "edit,check"),
    (pgettext_lazy("place", "a proposal"), "proposal,approve,send_back,withdraw"),
    (pgettext_lazy("place", "publishing"), "publish"),
    (pgettext_lazy("place", "taking rules in from files"), "import"),
    (pgettext_lazy("place", "rule sets"), "releases,release,export_release,roll_back"),
    (pgettext_lazy("place", "gallery"), "gallery"),
    (pgettext_lazy("place", "statistics of rules"), "statistics,statistics_of"),
    (
        pgettext_lazy("place", "dry runs"),
        "dry_runs,start_dry_run,dry_run,dry_run_progress,cancel_dry_run,dry_run_example",
    ),
)
_RESEARCH: _Pages = (
    (pgettext_lazy("place", "studies"), "home,new_study"),
    (pgettext_lazy("place", "downloads"), "export,recordings"),
    (pgettext_lazy("place", "taking a bundle in"), "load,loading,load_into"),
    (
        pgettext_lazy("place", "a study"),
        "study,edit_study,sheet,conditions,questionnaire,member,step,withdrawal",
    ),
    (pgettext_lazy("place", "takes of a study"), "takes,let_words_through"),
    (
        pgettext_lazy("place", "bundle of a study"),
        "ask_for_bundle,bundle,bundle_progress,fetch,told",
    ),
    (
        pgettext_lazy("place", "codebook"),
        (
            "codebook,code_colours,new_code,themes,keep_codebook,codebook_version,codebook_file,"
            "codebook_version_file,load_codebook,code,move_code,code_state,merge_code,split_code,"
            "sort_codings,code_words"
        ),
    ),
    (
        pgettext_lazy("place", "rounds of coding"),
        "rounds,new_round,round,close_round,give_shares,coder_kind",
    ),
    (
        pgettext_lazy("place", "differences between coders"),
        "differences,differences_of,settle,differences_of_take,settle_take",
    ),
    (pgettext_lazy("place", "agreement of coders"), "agreement,agreement_csv"),
    (
        pgettext_lazy("place", "coding a text"),
        "coding,mark,unmark,undo_coding,coding_memo,text_memo,finish_text",
    ),
    (
        pgettext_lazy("place", "coding a take"),
        "coding_take,take_media,mark_take,unmark_take,take_coding_memo,take_memo,undo_take",
    ),
    (pgettext_lazy("place", "interviews"), "interviews,new_interview,transcript"),
    (
        pgettext_lazy("place", "an interview"),
        "interview,redact,lock,original,speakers,noted_consent,questions",
    ),
    (pgettext_lazy("place", "interview guide"), "guide"),
    (
        pgettext_lazy("place", "recording of an interview"),
        (
            "new_recording,recorded_person,recording,recording_now,record_interview,"
            "recording_media,recording_step,recording_uploads,check_recording,send_recording,"
            "hand_in_recording,discard_recording,assign_voice,add_voice,passage,"
            "take_recording_in,look"
        ),
    ),
    (pgettext_lazy("place", "a study at a glance"), "glance,glance_of,glance_chart,glance_csv"),
    (pgettext_lazy("place", "taking part in a study"), "mine,take_part,leave,answer"),
)
_OF_A_MODEL = ("add", "change", "changelist", "delete", "history")
_ADMIN: _Pages = (
    (
        pgettext_lazy("place", "first page"),
        "index,app_list,jsi18n,autocomplete,view_on_site",
    ),
    (pgettext_lazy("place", "signing in"), "login,logout"),
    (pgettext_lazy("place", "own password"), "password_change,password_change_done"),
    *(
        (
            words,
            ",".join(f"{model}_{page}" for page in _OF_A_MODEL),
        )
        for words, model in (
            (pgettext_lazy("place", "people"), "accounts_user"),
            (pgettext_lazy("place", "cohorts"), "accounts_cohort"),
            (pgettext_lazy("place", "legal holds"), "accounts_legalhold"),
            (pgettext_lazy("place", "audit log"), "audit_entry"),
        )
    ),
)
_ACCOUNT: _Pages = (
    (pgettext_lazy("place", "signing in"), "login,confirm_login_code,inactive"),
    (
        pgettext_lazy("place", "giving the password again"),
        "reauthenticate,request_reauthentication_code,confirm_reauthentication_code",
    ),
    (pgettext_lazy("place", "signing out"), "logout"),
    (pgettext_lazy("place", "signing up"), "signup"),
    (pgettext_lazy("place", "own password"), "change_password,set_password"),
    (
        pgettext_lazy("place", "own addresses"),
        "email,confirm_email,email_verification_sent",
    ),
    (
        pgettext_lazy("place", "choosing a new password"),
        "reset_password,reset_password_done,reset_password_from_key,reset_password_from_key_done",
    ),
)
_WORKER: _Pages = (
    (pgettext_lazy("place", "analysing"), "coach.feedback.tasks.run_stage"),
    (pgettext_lazy("place", "looking for what was left behind"), "coach.feedback.tasks.sweep"),
    (
        pgettext_lazy("place", "keeping the queue"),
        "coach.review.tasks.sweep,coach.review.tasks.gather",
    ),
    (
        pgettext_lazy("place", "trying rules on stored reports"),
        "coach.curation.tasks.run_batch,coach.curation.tasks.sweep",
    ),
    (pgettext_lazy("place", "counting what became of rules"), "coach.curation.tasks.count"),
    (
        pgettext_lazy("place", "making bundles"),
        "coach.research.tasks.make_bundle,coach.research.tasks.sweep",
    ),
    (pgettext_lazy("place", "taking a bundle in"), "coach.research.tasks.take_bundle_in"),
    (pgettext_lazy("place", "writing interviews down"), "coach.research.tasks.write_down"),
    (
        pgettext_lazy("place", "comparing recordings with their list"),
        "coach.rehearsals.tasks.sweep_custody",
    ),
    (pgettext_lazy("place", "removing files"), "coach.rehearsals.tasks.sweep_removals"),
    (
        pgettext_lazy("place", "removing what is kept no longer"),
        (
            "coach.portal.tasks.keep_time,coach.portal.tasks.forget,coach.notices.tasks.forget,"
            "coach.accounts.tasks.clear_sessions,coach.accounts.tasks.clear_counters"
        ),
    ),
    (pgettext_lazy("place", "telling what will be removed"), "coach.portal.tasks.tell"),
    (pgettext_lazy("place", "sending mails"), "coach.notices.tasks.mail"),
    (pgettext_lazy("place", "reminding people to practise"), "coach.practice.tasks.remind"),
)
_COMMAND: _Pages = (
    (pgettext_lazy("place", "adding a person"), "add_person"),
    (pgettext_lazy("place", "updating the rules"), "update_rules"),
    (pgettext_lazy("place", "preparing the demonstration"), "seed_demo"),
    (pgettext_lazy("place", "looking after recordings"), "custody"),
    (pgettext_lazy("place", "writing the bundle of a study"), "export_study"),
    (pgettext_lazy("place", "handing out a person’s data"), "own_data"),
    (pgettext_lazy("place", "taking a bundle in"), "import_study"),
    (pgettext_lazy("place", "making a study for trying things out"), "make_demo_study"),
)

PLACES: dict[str, Words] = {
    f"{part}:{name}": words
    for part, pages in {
        "portal": _PORTAL,
        "feedback": _FEEDBACK,
        "practice": _PRACTICE,
        "rehearsals": _REHEARSALS,
        "guests": _GUESTS,
        "notices": _NOTICES,
        "review": _REVIEW,
        "curation": _CURATION,
        "research": _RESEARCH,
        "admin": _ADMIN,
        "account": _ACCOUNT,
        "worker": _WORKER,
        "command": _COMMAND,
    }.items()
    for words, names in pages
    for name in names.split(",")
}
