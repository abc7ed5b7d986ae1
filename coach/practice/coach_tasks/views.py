"""Views of the tasks that coaches set."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from coach.lib.web.http import SignedInRequest
from coach.practice.coach_tasks.forms import TaskForm
from coach.practice.coach_tasks.page import task_rows
from coach.practice.coach_tasks.selectors import coach_tasks_for, set_tasks_for
from coach.practice.coach_tasks.services import MOST_OPEN, delete_task, set_task, tick_task
from coach.practice.plan.selectors import planned_takes_for


@require_http_methods(["GET", "POST"])
@login_required
def tasks_of(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Show the tasks of a person who sent this coach a take, or set or delete one."""
    take = get_object_or_404(planned_takes_for(request.user), pk=rehearsal_id)
    if "delete" in request.POST:
        own = set_tasks_for(request.user).filter(person=take.owner)
        delete_task(task=get_object_or_404(own, pk=_key(request.POST["delete"])))
        messages.success(request, _("Task deleted."))
        return redirect("practice:tasks_of", rehearsal_id)
    form = TaskForm(request.POST or None, initial={"due_on": timezone.localdate()})
    if request.method == "POST" and form.is_valid():
        try:
            set_task(take=take, coach=request.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("Task set. The trainee is notified."))
            return redirect("practice:tasks_of", rehearsal_id)
    context = {
        "form": form,
        "take": take,
        "tasks": task_rows(take.owner, request.user),
        "most": MOST_OPEN,
    }
    status = 422 if form.errors else 200
    return render(request, "practice/tasks_of.html", context, status=status)


def _key(typed: str) -> int:
    """Return the id of a task. Raises Http404 for anything else."""
    if not (typed.isascii() and typed.isdigit() and len(typed) < 16):
        raise Http404
    return int(typed)


@require_POST
@login_required
def tick(request: SignedInRequest, task_id: int) -> HttpResponse:
    """Mark one's own task as done, or as open again."""
    task = get_object_or_404(coach_tasks_for(request.user), pk=task_id)
    is_done = request.POST.get("done") == "yes"
    tick_task(task=task, is_done=is_done)
    messages.success(request, _("Done. Your coach sees it.") if is_done else _("Open again."))
    return redirect("practice:plan" if request.POST.get("from") == "plan" else "feedback:takes")
